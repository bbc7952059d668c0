/* SPDX-License-Identifier: BSD-3-Clause */
/* net.c - sockets: pairs, TCP and UDP over the loopback, messages, options. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static char buf[256];
static struct iovec iov[2] = { { buf, 5 }, { buf + 10, 7 } };

static void pairs(void)
{
	struct mmsghdr mm[2] = {
		{ .msg_hdr = { .msg_iov = iov, .msg_iovlen = 1 } },
		{ .msg_hdr = { .msg_iov = iov, .msg_iovlen = 2 } },
	};
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2 };
	struct timespec ts = { .tv_sec = 1 };
	int s[2];

	SHOW(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
	SHOW(socketpair(99, SOCK_DGRAM, 0, s));
	SHOW(send(s[0], "hello", 5, 0));
	SHOW(recv(s[1], buf, sizeof(buf), 0));
	SHOW(recv(s[1], buf, sizeof(buf), MSG_DONTWAIT));
	SHOW(sendmsg(s[0], &m, MSG_NOSIGNAL));
	SHOW(recvmsg(s[1], &m, 0));
	SHOW(recvmsg(s[1], &m, MSG_DONTWAIT));
	SHOW(sendmmsg(s[0], mm, 2, 0));
	SHOW(recvmmsg(s[1], mm, 2, 0, &ts));
	SHOW(recvmmsg(s[1], mm, 2, MSG_DONTWAIT, NULL));
	SHOW(sendmmsg(-1, mm, 2, 0));
	SHOW(sendmsg(-1, &m, 0));
	SHOW(write(s[0], "plain", 5));
	SHOW(read(s[1], buf, sizeof(buf)));
	SHOW(shutdown(s[0], SHUT_WR));
	SHOW(send(s[0], "hello", 5, MSG_NOSIGNAL));
	SHOW(shutdown(s[0], 77));
	SHOW(shutdown(-1, SHUT_RD));
	close(s[0]), close(s[1]);
}

static void tcp(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_storage from;
	socklen_t len = sizeof(to);
	int one = 1, size, lis, con, acc;

	lis = SHOW(socket(AF_INET, SOCK_STREAM, 0));
	SHOW(socket(AF_INET, 99, 0));
	SHOW(setsockopt(lis, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	SHOW(setsockopt(lis, SOL_SOCKET, 9999, &one, sizeof(one)));
	SHOW(bind(lis, (struct sockaddr *)&to, sizeof(to)));
	SHOW(bind(lis, (struct sockaddr *)&to, sizeof(to)));
	SHOW(listen(lis, 5));
	SHOW(listen(-1, 5));
	SHOW(getsockname(lis, (struct sockaddr *)&to, &len));
	con = SHOW(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	SHOW(getpeername(con, (struct sockaddr *)&from, &len));
	SHOW(connect(con, (struct sockaddr *)&to, sizeof(to)));
	SHOW(connect(con, (struct sockaddr *)&to, sizeof(to)));
	len = sizeof(from);
	acc = SHOW(accept(lis, (struct sockaddr *)&from, &len));
	SHOW(accept(-1, NULL, NULL));
	GNU(SHOW(accept4(lis, NULL, NULL, 0x12345)));
	len = sizeof(from);
	SHOW(getpeername(acc, (struct sockaddr *)&from, &len));
	len = sizeof(size);
	SHOW(getsockopt(acc, SOL_SOCKET, SO_TYPE, &size, &len));
	SHOW(getsockopt(acc, SOL_SOCKET, 9999, &size, &len));
	SHOW(write(con, "request", 7));
	SHOW(recv(acc, buf, 7, MSG_WAITALL));
	SHOW(send(acc, "answer", 6, MSG_MORE));
	SHOW(sendto(acc, "!", 1, 0, NULL, 0));
	SHOW(recvfrom(con, buf, 7, MSG_WAITALL, NULL, NULL));
	SHOW(sockatmark(con));
	SHOW(sockatmark(-1));
	SHOW(close(acc));
	SHOW(read(con, buf, sizeof(buf)));
	close(con), close(lis);
}

static void udp(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(to);
	int a, b;

	a = SHOW(socket(AF_INET, SOCK_DGRAM, 0));
	b = SHOW(socket(AF_INET, SOCK_DGRAM, 0));
	SHOW(bind(a, (struct sockaddr *)&to, sizeof(to)));
	SHOW(getsockname(a, (struct sockaddr *)&to, &len));
	SHOW(sendto(b, "datagram", 8, 0, (struct sockaddr *)&to, sizeof(to)));
	SHOW(recvfrom(a, buf, sizeof(buf), 0, (struct sockaddr *)&to, &len));
	SHOW(sendto(a, "back", 4, 0, (struct sockaddr *)&to, len));
	SHOW(recv(b, buf, sizeof(buf), 0));
	SHOW(sendto(b, "nowhere", 7, 0, NULL, 0));
	close(a), close(b);
}

static void named(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "sock" };
	int lis, con;

	lis = SHOW(socket(AF_UNIX, SOCK_STREAM, 0));
	SHOW(bind(lis, (struct sockaddr *)&name, sizeof(name)));
	SHOW(listen(lis, 1));
	con = SHOW(socket(AF_UNIX, SOCK_STREAM, 0));
	SHOW(connect(con, (struct sockaddr *)&name, sizeof(name)));
	SHOW(accept4(lis, NULL, NULL, SOCK_NONBLOCK));
	strcpy(name.sun_path, "missing");
	SHOW(connect(con, (struct sockaddr *)&name, sizeof(name)));
	SHOW(unlink("sock"));
}

int main(void)
{
	pairs();
	tcp();
	udp();
	named();
	return 0;
}
