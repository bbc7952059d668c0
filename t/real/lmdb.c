/* SPDX-License-Identifier: BSD-3-Clause */
/* lmdb.c DIRECTORY - 200 transactions of a database that LMDB maps and stores to in place
   (MDB_WRITEMAP), of 50 keys each; then a child that reads all of them. */
#include <lmdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int read_all(const char *dir)
{
	MDB_val key, value;
	MDB_cursor *cursor;
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi dbi;
	int n = 0;

	if (mdb_env_create(&env) || mdb_env_set_mapsize(env, 64 << 20) || mdb_env_open(env, dir, MDB_RDONLY, 0600) ||
	    mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) || mdb_dbi_open(txn, NULL, 0, &dbi) ||
	    mdb_cursor_open(txn, dbi, &cursor))
		return 1;
	while (!mdb_cursor_get(cursor, &key, &value, MDB_NEXT))
		n += value.mv_size == 1000;
	mdb_cursor_close(cursor);
	mdb_txn_abort(txn);
	mdb_env_close(env);
	return n != 200 * 50;
}

int main(int argc, char **argv)
{
	static char data[1000];
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi dbi;
	int status;

	if (argc < 2 || mdb_env_create(&env) || mdb_env_set_mapsize(env, 64 << 20) ||
	    mdb_env_open(env, argv[1], MDB_WRITEMAP, 0600))
		return 1;
	for (int i = 0; i < 200; i++) {
		if (mdb_txn_begin(env, NULL, 0, &txn) || mdb_dbi_open(txn, NULL, 0, &dbi))
			return 1;
		for (int j = 0; j < 50; j++) {
			int number = i * 50 + j;
			MDB_val key = { sizeof(number), &number }, value = { sizeof(data), data };

			if (mdb_put(txn, dbi, &key, &value, 0))
				return 1;
		}
		if (mdb_txn_commit(txn))
			return 1;
	}
	mdb_env_close(env);
	if (!fork())
		_exit(read_all(argv[1]));
	return wait(&status) < 0 || status;
}
