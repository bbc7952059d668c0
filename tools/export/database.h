/* SPDX-License-Identifier: BSD-3-Clause */
/* database.h - by what a database of iotrace-export is known: for those who write one, and who read it. */
#ifndef EXPORT_DATABASE_H
#define EXPORT_DATABASE_H

#define APPLICATION_ID 0x696f7472 /* "iotr": what file(1) sees */
#define TABLES_VERSION 3	  /* of tables.sql and views.sql */
#define STATS_ROWS 2000		  /* of each of iotrace-stat's tables in stats.json, at most */

#endif
