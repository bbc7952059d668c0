void inner(void); int main(void) { inner(); return 0; }
