/* SPDX-License-Identifier: BSD-3-Clause */
/* talker.c - writes a line for each line that it reads, and says when it has. */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int fd = open("talk", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char c;

	if (fd < 0 || write(STDOUT_FILENO, "!\n", 2) != 2)
		return 1;
	while (read(STDIN_FILENO, &c, 1) == 1)
		if (c == '\n' && (write(fd, "line\n", 5) != 5 || write(STDOUT_FILENO, "!\n", 2) != 2))
			return 1;
	return 0;
}
