#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sqlite3: its shell, real SQL: rollback journal with fsync, write-ahead log with
# shared memory, locks, vacuum, backup.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build sqlite3
cat >"$T/sql" <<'EOF'
pragma synchronous = full;
create table t(id integer primary key, name text, size int);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
	insert into t select i, printf('name %d', i), i * 7 % 1001 from n;
commit;
create index s on t(size);
select count(*), sum(size) from t;
begin; delete from t where size < 200; rollback;
delete from t where id % 3 = 0;
pragma journal_mode = wal;
begin immediate;
insert into t(name, size) select name, size from t limit 500;
commit;
pragma wal_checkpoint(truncate);
update t set name = name || ' again' where id % 10 = 0;
select count(*), max(length(name)) from t;
pragma mmap_size = 1000000;
select sum(size) from t;
pragma journal_mode = delete;
vacuum;
pragma integrity_check;
attach 'second.db' as other;
create table other.u as select * from t where size > 900;
.backup main copy.db
.output dump.sql
.dump
.output stdout
select * from missing;
.import dump.sql lines
select zipfile from t;
EOF
run_stdin=$T/sql
real_run 'rollback journal, WAL, vacuum, backup' first.db
printf '.tables\nselect count(*) from t;\n' >"$T/sql"
real_run 'a copy' copy.db
run_stdin=/dev/null
real_run 'a file that is no database' /bin/true 'select * from t'
done_testing
