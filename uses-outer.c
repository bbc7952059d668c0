void outer(void); int main(void) { outer(); return 0; }
