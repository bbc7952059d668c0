/* SPDX-License-Identifier: BSD-3-Clause */
/* addr.c - socket addresses as text. */
#include "config.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "fields.h"

static size_t address_hex(const unsigned char *s, size_t len, char *buf, size_t size)
{
	size_t i, n = 0;

	for (i = 0; i < len && n + 3 < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%02x", s[i]);
	return n;
}

/* "127.0.0.1:80", "[::1]:80", "unix:/path" ('@' for abstract names, other bytes
   than printable ones as '?'), or the bytes in hex. */
size_t iot_address(const char *bytes, size_t len, char *buf, size_t size)
{
	char host[INET6_ADDRSTRLEN];
	struct sockaddr_in6 in6;
	struct sockaddr_in in;
	sa_family_t family;
	size_t n, i;

	if (len < sizeof(family))
		return address_hex((const unsigned char *)bytes, len, buf, size);
	memcpy(&family, bytes, sizeof(family));
	if (family == AF_INET && len >= sizeof(in)) {
		memcpy(&in, bytes, sizeof(in));
		inet_ntop(AF_INET, &in.sin_addr, host, sizeof(host));
		return (size_t)snprintf(buf, size, "%s:%u", host, ntohs(in.sin_port));
	}
	if (family == AF_INET6 && len >= sizeof(in6)) {
		memcpy(&in6, bytes, sizeof(in6));
		inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof(host));
		return (size_t)snprintf(buf, size, "[%s]:%u", host, ntohs(in6.sin6_port));
	}
	if (family == AF_UNIX) {
		n = (size_t)snprintf(buf, size, "unix:");
		for (i = sizeof(family); i < len && n + 1 < size; i++) {
			unsigned char c = (unsigned char)bytes[i];

			if (!c && i > sizeof(family))
				break;
			buf[n++] = !c ? '@' : c < ' ' || c >= 0x7f ? '?' : (char)c;
		}
		return n;
	}
	return address_hex((const unsigned char *)bytes, len, buf, size);
}
