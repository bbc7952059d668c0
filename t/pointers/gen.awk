# SPDX-License-Identifier: BSD-3-Clause
# gen.awk - from kinds.def and calls.def, the calls that pointers.c makes: one for each pointer
# that a row has a parameter for, through libc and, where syscall(2) can stand for
# the row, by number.
#
#	awk -v form=static|dynamic -f gen.awk left-out.txt kinds.def calls.def >cases.h
#
# Each becomes a function of the bad pointer, in which all other arguments are sane.

function has(attrs, a) { return index(attrs, " " a " ") > 0 }

function value(attrs, a,    s, i)
{
	i = index(attrs, " " a "=")
	if (!i)
		return ""
	s = substr(attrs, i + length(a) + 2)
	return substr(s, 1, index(s, " ") - 1)
}

BEGIN {
	# a sane argument: of a row's parameter, of a parameter, of a kind
	sane["dirfd"] = "AT_FDCWD"
	sane["fd"] = "good_fd()"; sane["fd2"] = "good_fd()"
	sane["FILE"] = "good_file()"; sane["DIR"] = "opendir(\".\")"
	sane["path"] = "good_path()"; sane["relpath"] = "good_path()"; sane["link"] = "good_text(\"target\")"; sane["str"] = sane["command"] = "good_text(\"user.name\")"
	sane["text"] = "good_text(\"text\")"; sane["buf"] = sane["stat"] = sane["statx"] = "AREA"; sane["ptr"] = "AREA"
	sane["size"] = "16"; sane["itemsize"] = "4"; sane["items"] = "4"; sane["buflen"] = "64"; sane["flag"] = "0"
	sane["iov"] = "good_iov()"; sane["iovcnt"] = "good_count()"; sane["msg"] = "good_msg()"
	sane["mmsg"] = "good_mmsg()"; sane["mmsgcnt"] = "1"; sane["addr"] = "good_addr()"; sane["addrlen"] = "16"
	sane["pfds"] = "good_pfds()"; sane["nfds"] = "1"; sane["fmode"] = "good_text(\"r+\")"; sane["offp"] = "NULL"; sane["aiocb"] = "good_aiocb()"
	sane["pipefds"] = "AREA"; sane["valist"] = "*no_args()"; sane["byte"] = "'x'"
	sane["mode"] = "0600"; sane["whence"] = "SEEK_SET"; sane["prot"] = "PROT_READ"
	sane["mapflags"] = "MAP_PRIVATE | MAP_ANONYMOUS"; sane["domain"] = "AF_UNIX"; sane["socktype"] = "SOCK_STREAM"
	sane["uid"] = "-1"; sane["gid"] = "-1"; sane["msgflags"] = "MSG_DONTWAIT"
	named["sockfd"] = "good_socket()"; named["epfd"] = "good_epoll()"; named["mqdes"] = "good_queue()"
	named["times"] = "NULL"; named["timeout"] = "AREA"; named["msecs.timeout"] = "0"; named["sigmask"] = "NULL"; named["mask"] = "AREA"
	named["format"] = "\"text\""; named["oflags.flags"] = "O_RDWR"; named["maxevents"] = "1"
	named["template"] = "good_template()"; named["suffixlen"] = "0"
	named["argv"] = "good_argv()"; named["envp"] = "good_argv()"; named["argp"] = "AREA"
	named["file_actions"] = "NULL"; named["attrp"] = "NULL"; named["attr"] = "NULL"; named["sevp"] = "NULL"
	named["nopenfd"] = "4"; named["filter"] = "NULL"; named["compar"] = "NULL"; named["errfunc"] = "NULL"
	named["readfds"] = "NULL"; named["writefds"] = "NULL"; named["exceptfds"] = "NULL"; named["prio"] = "NULL"
	named["command"] = "\"exit 3\""; named["cookie"] = "NULL"; named["delim"] = "'\\n'"
	named["list.dirlist"] = "AREA"; named["options"] = "WNOHANG"; named["addrlen"] = "good_length()"
	named["optlen"] = "good_length()"; named["level"] = "SOL_SOCKET"; named["optname"] = "SO_TYPE"
	named["ver"] = "1"; named["data"] = "NULL"; named["mount_id"] = "AREA"; named["c"] = "'x'"
	named["lineptr"] = "good_line()"; named["n.ptr"] = "good_length()"
	named["rusage"] = "NULL"; named["wstatus"] = "NULL"; named["tmo"] = "AREA"
	named["new_address"] = "NULL"; named["old_size"] = "4096"; named["mode_flags"] = "0"
	own["recvfrom.addr"] = own["accept.addr"] = own["accept4.addr"] = "AREA"
	own["setsockopt.optlen"] = "4"; own["setsockopt.optname"] = "SO_KEEPALIVE"
	own["bind.addr"] = "good_new_addr()"
	own["sendfile.out_fd"] = own["tee.fd_out"] = "good_pipe(1)"; own["tee.fd_in"] = "good_pipe(0)"
	own["splice.fd_out"] = "good_pipe(1)"; own["vmsplice.fd"] = "good_pipe(1)"
	own["splice.flags"] = own["tee.flags"] = own["vmsplice.flags"] = "SPLICE_F_NONBLOCK"
	own["copy_file_range.fd_out"] = "open(\"out\", O_RDWR | O_CREAT, 0600)"
	own["process_vm_readv.pid"] = own["process_vm_writev.pid"] = "getpid()"
	own["process_vm_readv.remote_iov"] = own["process_vm_writev.remote_iov"] = "good_iov()"
	own["process_vm_readv.riovcnt"] = own["process_vm_writev.riovcnt"] = "1"
	own["ioctl.request"] = "FIONREAD"; own["epoll_ctl.op"] = "EPOLL_CTL_ADD"; own["epoll_ctl.fd"] = "good_pipe(0)"
	own["timerfd_settime.fd"] = own["timerfd_gettime.fd"] = "timerfd_create(CLOCK_MONOTONIC, 0)"
	own["inotify_add_watch.fd"] = "inotify_init()"; own["inotify_add_watch.mask"] = "IN_MODIFY"
	own["fanotify_mark.fd"] = "fanotify_init(FAN_CLASS_NOTIF, 0)"; own["fanotify_mark.mask"] = "FAN_MODIFY"
	own["fanotify_mark.flags"] = "FAN_MARK_ADD"
	own["signalfd.fd"] = "-1"; own["signalfd.mask"] = "AREA"
	own["name_to_handle_at.handle"] = own["open_by_handle_at.handle"] = "good_handle()"
	own["open_by_handle_at.mount_fd"] = "open(\".\", O_RDONLY)"; own["open_by_handle_at.flags"] = "O_RDONLY"
	own["open.flags"] = own["openat.flags"] = "O_RDWR"
	own["opendir.name"] = own["scandir.dirp"] = own["ftw.dirpath"] = own["nftw.dirpath"] = own["chdir.path"] = own["chroot.path"] = own["rmdir.pathname"] = "good_dir()"
	own["getdents64.fd"] = "open(\".\", O_RDONLY)"; own["getdents64.count"] = "4096"
	own["link.newpath"] = own["linkat.newpath"] = own["symlink.linkpath"] = own["symlinkat.linkpath"] = "\"new\""
	own["rename.newpath"] = own["renameat.newpath"] = own["renameat2.newpath"] = own["mkdir.pathname"] = own["mkdirat.pathname"] = "\"new\""
	own["mkfifo.pathname"] = own["mkfifoat.pathname"] = own["mknod.pathname"] = own["mknodat.pathname"] = own["__xmknod.pathname"] = own["__xmknodat.pathname"] = "\"new\""
	own["readlink.pathname"] = own["readlinkat.pathname"] = "\"link\""
	own["mount.type"] = own["fsopen.fsname"] = "\"none-such\""; own["acct.filename"] = "\"none/such\""
	own["shm_open.name"] = own["shm_unlink.name"] = own["mq_open.name"] = own["mq_unlink.name"] = "\"/iotrace-pointers-none\""
	own["memfd_create.name"] = "\"name\""; own["fopencookie.io_funcs"] = "(cookie_io_functions_t){ 0 }"
	own["fopen.mode"] = own["freopen.mode"] = own["freopen64.mode"] = own["fmemopen.mode"] = own["fdopen.mode"] = own["fopencookie.mode"] = "\"r+\""
	own["popen.mode"] = "\"r\""; own["fmemopen.buf"] = "AREA"; own["setvbuf.mode"] = "_IOFBF"
	own["setvbuf.buf"] = own["setbuf.buf"] = own["setbuffer.buf"] = "AREA"; own["setvbuf.size"] = own["setbuffer.size"] = "4096"
	own["mmap.addr"] = "NULL"; own["mmap.fd"] = "-1"; own["mmap.length"] = "4096"
	own["munmap.addr"] = own["mremap.old_address"] = own["msync.addr"] = own["madvise.addr"] = own["posix_madvise.addr"] = own["mincore.addr"] = "good_map()"
	own["munmap.length"] = own["mremap.new_size"] = own["msync.length"] = own["madvise.length"] = own["posix_madvise.length"] = own["mincore.length"] = "4096"
	own["execl.arg"] = own["execle.arg"] = own["execlp.arg"] = "\"x\", (char *)NULL, good_argv()"
	own["execvp.file"] = own["execvpe.file"] = own["execlp.file"] = "\"./f\""
	own["posix_spawn.path"] = own["posix_spawnp.file"] = "good_program()"
	own["pthread_create.start_routine"] = "a_thread"; own["clone.fn"] = "a_child"; own["clone.stack"] = "AREA"
	own["clone.flags"] = "SIGCHLD"; own["waitid.idtype"] = "P_ALL"; own["waitid.options"] = "WNOHANG | WEXITED"
	own["wait4.pid"] = own["waitpid.pid"] = "-1"
	own["dlopen.flags"] = own["dlmopen.flags"] = "RTLD_LAZY"; own["ftw.fn"] = "a_visit"; own["nftw.fn"] = "a_visit"
	own["lio_listio.list"] = own["aio_suspend.list"] = "good_list()"; own["lio_listio.nent"] = own["aio_suspend.nent"] = "1"
	own["lio_listio.mode"] = "LIO_WAIT"; own["aio_fsync.op"] = "O_SYNC"; own["aio_cancel.aiocbp"] = "NULL"
	own["mq_timedsend.len"] = own["mq_send.len"] = "8"; own["mq_timedreceive.len"] = own["mq_receive.len"] = "8192"
	own["glob.pattern"] = "\"*\""; own["fgetpos.pos"] = own["fsetpos.pos"] = "AREA"
	own["putpwent.entry"] = "good_user()"; own["putgrent.entry"] = "good_group()"; own["addmntent.entry"] = "good_mount()"; own["getmntent_r.len"] = "64"
	own["statx.mask"] = "STATX_BASIC_STATS"
	own["fstatat.flags"] = own["statx.flags"] = "AT_SYMLINK_NOFOLLOW"
	own["readdir_r.entry"] = "AREA"; own["readdir_r.result"] = "AREA"; own["gets.s"] = "AREA"
	own["tcsetattr.termios"] = own["tcgetattr.termios"] = "AREA"
	own["fgets.size"] = "16"; own["pathconf.name"] = "good_name()"
	# libc looks at no stream if there is nothing to read, and the recorder does
	own["fgetws.n"] = own["fgetws_unlocked.n"] = own["__fgetws_chk.n"] = own["__fgetws_unlocked_chk.n"] = "4"
	own["select.timeout"] = own["pselect.timeout"] = "AREA"
	own["select.writefds"] = own["pselect.writefds"] = "good_set()"; own["select.nfds"] = own["pselect.nfds"] = "64"
}

FILENAME ~ /left-out/ {
	if ($1 != "" && $1 !~ /^#/)
		left[$1] = 1
	next
}

# kinds whose C type is a pointer
FILENAME ~ /kinds\.def$/ {
	line = $0
	sub(/^[^(]*\(/, "", line)
	split(line, f, /, */)
	if (/^IOT_KIND/ && f[7] ~ /\*$/)
		pointer[f[3]] = 1
	else if (/^IOT_FORM/ && f[3] ~ /\*$/)
		pointer[f[1]] = 1
	next
}

/^#/ || /^[ \t]*$/ || /^(attributes|inline|watch|extern|chk)/ { next }

function argument(r, kind, name)
{
	if (r "." name in own)
		return own[r "." name]
	if (kind "." name in named)
		return named[kind "." name]
	if (name "." kind in named)
		return named[name "." kind]
	if (name in named && kind != "path" && !(kind ~ /^addr$/))
		return named[name]
	return kind in sane ? sane[kind] : "0"
}

# What is printed of a result: numbers as they are, addresses as whether there is one.
function told(kind, call)
{
	if (kind ~ /^(FILE|DIR|ptr|text|wtext|cwd|dirent)$/)
		return "(" call ") != 0"
	if (kind == "map")
		return "(void *)(" call ") == MAP_FAILED ? -1 : 1"
	if (kind == "pid" || call ~ /^ftok/)
		return "(int)(" call ") < 0 ? -1 : 1"
	if (kind == "void")
		return "((" call "), 0)"
	if (kind ~ /^(bytes|items|long|pos)$/)
		return "(long)(" call ")"
	return "(int)(" call ")"
}

function emit(r, how, i, call,    id)
{
	id = ++n_cases
	if (row in declared)
		printf "extern long NAME_%s() __asm__(\"%s\");\n", row, row
	printf "static long case_%d(void *bad)\n{\n\t(void)bad;\n\treturn %s;\n}\n", id, call
	list[id] = sprintf("\t{ \"%s%s(%s)\", case_%d, KIND_%s },", r, how, pname[i], id, pkind[i])
}

{
	match($0, /\(.*\)/)
	line = $0
	sub(/^[a-z]+[ \t]+/, "", line)
	match(line, /^[A-Za-z]+/)
	result = substr(line, 1, RLENGTH)
	sub(/^[A-Za-z]+ /, "", line)
	match(line, /^[A-Za-z0-9_]+/)
	row = substr(line, 1, RLENGTH)
	rest = substr(line, RLENGTH + 2)
	end = index(rest, ")")
	params = substr(rest, 1, end - 1)
	attrs = " "
	if (match(rest, /\[.*\]/))
		attrs = " " substr(rest, RSTART + 1, RLENGTH - 2) " "
	if (row in left || has(attrs, "event") || has(attrs, "extern") || has(attrs, "dynamic") && form != "dynamic" ||
	    result == "noreturn" || family($0) ~ /^(fortran|user)$/)
		next
	n = split(params, p, /, */)
	pointers = 0
	for (i = 1; i <= n; i++) {
		split(p[i], f, " ")
		pkind[i] = f[1]
		pname[i] = f[2]
		pointers += f[1] in pointer
	}
	if (!pointers)
		next
	sys = value(attrs, "sys")
	for (i = 1; i <= n; i++) {
		if (!(pkind[i] in pointer) || (row "." pname[i]) in left)
			continue
		args = ""
		for (j = 1; j <= n; j++)
			args = args (j > 1 ? ", " : "") (j == i ? "bad" : argument(row, pkind[j], pname[j]))
		if (row ~ /^execl/ && pname[i] == "arg")
			args = args ", (char *)NULL, good_argv()"
		if (row !~ /^__.*_internal$/ && !(form "-" row in left) && !("name-" row in left)) {
			if (row ~ /^_/ || row == "gets")
				declared[row] = 1
			emit(row, "", i, told(result, (row in declared ? "NAME_" row : row) "(" args ")"))
		}
		if (sys == "" || has(attrs, "thin") || has(attrs, "noraw") || row ~ /^_/ ||
		    (sys in raw && raw[sys] != row) || !(sys == row || row ~ /^(open|pread|pwrite|fstatat)$/))
			continue
		raw[sys] = row
		call = "syscall(SYS_" sys ", " rawargs(row, args) ")"
		emit("syscall-" sys, "", i, result == "map" ? told("map", call) : call)
	}
}

function family(line)
{
	match(line, /^[a-z]+/)
	return substr(line, 1, RLENGTH)
}

# where the system call has other parameters than the function
function rawargs(row, args)
{
	if (row == "open")
		return "AT_FDCWD, " args
	# the offset in two halves
	if (row ~ /^(preadv2|pwritev2)$/)
		sub(/, [^,]*$/, ", 0&", args)
	return args
}

END {
	print "enum {"
	for (i in pointer)
		print "\tKIND_" i ","
	print "};\nstatic const struct a_case cases[] = {"
	for (i = 1; i <= n_cases; i++)
		print list[i]
	print "};"
}
