void inner(void);
void outer(void) { inner(); }
