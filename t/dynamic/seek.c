/* SPDX-License-Identifier: BSD-3-Clause */
/* seek.c - streams that are sent beyond their file's end, and back: the file "beyond". */
#include <stdio.h>
#include <string.h>

static char data[9000];

static void grow(void)
{
	FILE *f = fopen("beyond", "w+");

	fwrite(data, 1, 5000, f);
	fseek(f, 7000, SEEK_SET);
	fwrite(data, 1, 10, f);
	fseek(f, 20000, SEEK_SET);
	fwrite(data, 1, 100, f);
	fseek(f, 100, SEEK_CUR);
	fwrite(data, 1, 100, f);
	fseek(f, 0, SEEK_END);
	fseek(f, 5, SEEK_END);
	fputc('c', f);
	rewind(f);
	if (fread(data, 1, 10, f) != 10)
		return;
	fseek(f, 30001, SEEK_SET);
	fseek(f, 4000, SEEK_SET);
	if (fread(data, 1, 200, f) != 200)
		return;
	fseek(f, -100, SEEK_CUR);
	fseek(f, 5000, SEEK_SET);
	fclose(f);
}

static void look(void)
{
	static const long places[] = { 100000, 20150, 20290, 4096, 8191, 24576, 20305 };
	FILE *f = fopen("beyond", "r");

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		fseek(f, places[i], SEEK_SET);
		fgetc(f);
		fseek(f, -3, SEEK_CUR);
	}
	fclose(f);
}

static void change(int mode, size_t size)
{
	static char buffer[512];
	FILE *f = fopen("beyond", "r+");

	setvbuf(f, buffer, mode, size);
	fseek(f, 20299, SEEK_SET);
	fgetc(f);
	fseek(f, 30000, SEEK_SET);
	fputc('z', f);
	fseek(f, 30003, SEEK_SET);
	fputc('z', f);
	fseek(f, 3, SEEK_CUR);
	fclose(f);
}

int main(void)
{
	memset(data, 'x', sizeof(data));
	grow();
	look();
	change(_IOFBF, 512);
	change(_IONBF, 0);
	return 0;
}
