// SPDX-License-Identifier: BSD-3-Clause

// threads.go - goroutines on threads of their own that write and read files by Go's
// raw system calls and by libc's, children, pipes and signals, in the directory
// that it is run in.
package main

/*
#include <stdio.h>
static long by_libc(const char *name, long n)
{
	FILE *f = fopen(name, "w");
	long written = 0;

	if (!f)
		return -1;
	for (long i = 0; i < n; i++)
		written += fprintf(f, "line %ld\n", i);
	return fclose(f) ? -1 : written;
}
*/
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
)

const nThreads = 6

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A file written, read at offsets and extended, again and again.
func work(n int) int {
	runtime.LockOSThread()
	name := fmt.Sprintf("file.%d", n)
	text := bytes.Repeat([]byte{byte('a' + n)}, 10000)
	sum := 0
	for i := 0; i < 20; i++ {
		check(os.WriteFile(name, text, 0644))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
		check(err)
		part := make([]byte, 100)
		_, err = f.ReadAt(part, 5000)
		check(err)
		_, err = f.Write(part)
		check(err)
		check(f.Sync())
		check(f.Close())
		all, err := os.ReadFile(name)
		check(err)
		sum += len(all)
	}
	sum += int(C.by_libc(C.CString(name+".libc"), 1000))
	return sum
}

func main() {
	var wait sync.WaitGroup
	sums := make([]int, nThreads)
	for n := range sums {
		wait.Add(1)
		go func(n int) {
			defer wait.Done()
			sums[n] = work(n)
		}(n)
	}
	wait.Wait()
	fmt.Println(sums)

	for i := 0; i < 5; i++ {
		child := exec.Command("cat")
		child.Stdin = strings.NewReader(fmt.Sprint("through cat ", i))
		out, err := child.Output()
		check(err)
		fmt.Println(string(out))
	}
	err := exec.Command("/bin/sh", "-c", "echo from a shell >shell; exit 3").Run()
	fmt.Println(err)
	err = exec.Command("/no/such").Run()
	fmt.Println(err)

	entries, err := os.ReadDir(".")
	check(err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	sort.Strings(names)
	fmt.Println(names)

	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGUSR1, syscall.SIGSYS)
	for _, sig := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGSYS} {
		check(syscall.Kill(os.Getpid(), sig))
		fmt.Println(<-caught)
	}
	os.Exit(7)
}
