# SPDX-License-Identifier: BSD-3-Clause
# threads.py - files written and read by threads, subprocesses of every kind, and
# a signal handler, in the directory that it is run in.
import os
import signal
import subprocess
import threading


def work(n):
    for i in range(20):
        with open('file.%d' % n, 'w') as f:
            f.write('x' * 10000)
        with open('file.%d' % n) as f:
            assert len(f.read()) == 10000


threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(subprocess.run(['/bin/sh', '-c', 'echo from a shell; ls'], capture_output=True, text=True).stdout)
print(subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE).communicate(b'through cat')[0])
pid = os.fork()
if not pid:
    os.write(1, b'child\n')
    os._exit(3)
print(os.waitpid(pid, 0)[1])
print(os.waitpid(os.posix_spawn('/bin/echo', ['echo', 'spawned'], os.environ), 0)[1])
signal.signal(signal.SIGUSR1, lambda *args: print('signal'))
os.kill(os.getpid(), signal.SIGUSR1)
print(os.system('echo from system'))
