# SPDX-License-Identifier: BSD-3-Clause
#
# table.awk - makes of table/calls.def what storm.c can call: table.h, with a row for
# each function that takes numbers and pointers alone and comes back.
#
# Left out are rows of other libraries and of the recorder, other names of a function
# (as=), variadic ones and those with callbacks, which storm has by hand (special.c),
# and the calls below.

BEGIN {
	# what does not come back, waits for ever, or harms more than the program
	n = split("fork _Fork vfork clone clone3 exit _exit quick_exit abort daemon chroot " \
	    "execve execv execvp execvpe execl execle execlp execveat fexecve pthread_create " \
	    "mount umount umount2 pivot_root unshare setns move_mount fsmount fsconfig " \
	    "acct swapon swapoff quotactl pidfd_send_signal sync syncfs dlopen dlmopen dlclose syscall " \
	    "fanotify_mark posix_spawn posix_spawnp system popen fopencookie scandir scandirat ftw nftw glob " \
	    "aio_read aio_write aio_fsync aio_error aio_return aio_suspend aio_cancel lio_listio " \
	    "setbuf setbuffer setvbuf getline getdelim dprintf vdprintf closefrom gets " \
	    "mq_notify process_vm_writev " \
	    "mount_setattr init_module delete_module klogctl vhangup ptrace process_madvise process_mrelease " \
	    "msgget msgsnd msgrcv msgctl shmget shmat shmdt shmctl remap_file_pages " \
	    "realpath ftok canonicalize_file_name get_current_dir_name getwd mktemp tmpnam tmpnam_r tempnam sem_open sem_unlink " \
	    "posix_openpt getpt grantpt unlockpt ptsname ptsname_r ttyname ttyname_r lckpwdf ulckpwdf wordexp " \
	    "setmntent getmntent getmntent_r addmntent endmntent fgetpwent fgetgrent fgetpwent_r " \
	    "fgetgrent_r putpwent putgrent " \
	    "perror psignal psiginfo openlog closelog", names, " ")
	for (i = 1; i <= n; i++)
		left_out[names[i]] = 1
	print "/* made by table.awk from table/calls.def */"
}

/^(posix|net|mem|proc|stdio|dir)[ \t]/ {
	attributes = ""
	if (match($0, /\[[^]]*\]$/)) {
		attributes = substr($0, RSTART + 1, RLENGTH - 2)
		$0 = substr($0, 1, RSTART - 1)
	}
	if (attributes ~ /(^| )(as=|event|raw( |$)|dynamic|printf=|callback|variadic)/)
		next
	open = index($0, "(")
	split(substr($0, 1, open - 1), word, /[ \t]+/)
	family = word[1]; result = word[2]; name = word[3]
	params = substr($0, open + 1)
	sub(/\)[ \t]*$/, "", params)
	if (name in left_out || params ~ /valist/)
		next
	sys = "-1"
	if (match(attributes, /sys=[a-z0-9_]+/))
		sys = "__NR_" substr(attributes, RSTART + 4, RLENGTH - 4)
	raw = attributes ~ /(^| )noraw|thin/ || (sys != "__NR_" name && sys != "__NR_" name "64") ? 0 : 1
	n_params = params == "" ? 0 : split(params, param, /, */)
	text = ""
	for (i = 1; i <= n_params; i++) {
		split(param[i], part, " ")
		if (!(part[1] in kinds)) {
			kinds[part[1]] = n_kinds
			order[n_kinds++] = part[1]
		}
		text = text sprintf("{KIND_%s, \"%s\"}, ", part[1], part[2])
	}
	if (!(result in results)) {
		results[result] = n_results
		result_order[n_results++] = result
	}
	rows[n_rows++] = sprintf("\t{\"%s\", \"%s\", call_%s, RESULT_%s, %s, %d, %d, {%s}},", name,
	    family, name, result, sys, raw, n_params, text)
	declared = declared sprintf("extern long call_%s() __asm__(\"%s\");\n", name, name)
}

END {
	print "#ifndef STORM_KINDS\n#define STORM_KINDS\nenum kind {"
	for (i = 0; i < n_kinds; i++)
		print "\tKIND_" order[i] ","
	print "};\n\nenum result {"
	for (i = 0; i < n_results; i++)
		print "\tRESULT_" result_order[i] ","
	print "};\n#endif\n\n#ifdef STORM_ROWS"
	print declared
	print "const struct row rows[] = {"
	for (i = 0; i < n_rows; i++)
		print rows[i]
	print "};\nconst int n_rows = sizeof(rows) / sizeof(rows[0]);\n#endif"
	if (n_rows < 200) {
		print "table.awk: only " n_rows + 0 " rows" >"/dev/stderr"
		exit 1
	}
}
