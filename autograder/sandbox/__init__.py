"""Run a task of a submission where it can do no harm: one confined process for each run, gone when the run is done.

`Warm` keeps a helper process that has imported torch, matplotlib, ipywidgets and IPython and has run no backward. It
starts a confined child for each run, which sees Python and this project read-only, a scratch folder of a limited size
(its working directory, home and temporary folder), its own processes, and nothing else of the machine. What the child
says crosses as lines of JSON of bounded size, never as pickled objects. Where several helpers are wanted, an `Origin`
imports for all of them.

Two ways, and which walls each has:

landlock    The helper forks (a run takes some 40 ms). The child leaves for namespaces of its own of mounts, processes,
            network, System V objects, host name and control groups; takes a tree that holds only what it may see as
            its root folder; becomes a user of its own if the grader is root, and gives up every capability; is bound
            by resource limits; and applies no_new_privs, Landlock and a seccomp filter, in this order. An ordinary
            user's helper has a user namespace. Linux 5.13 or newer with Landlock, and new namespaces must be allowed:
            Docker's default does not, nor, to ordinary users, does that of Ubuntu 24.04.
bubblewrap  `bwrap` builds the same namespaces and the same tree, and starts Python afresh (some 3 s with torch), which
            then takes the same last steps, Landlock only where the kernel has it. For machines that allow namespaces
            to bwrap alone, and for GPUs, since CUDA cannot follow a fork.
none        Only when asked for: resource limits, time limits and a folder that is removed. Nothing is hidden.

What each wall is for. The mount namespace hides files; Landlock refuses them once more, and every change of mounts. The
empty network namespace holds no IPv4, no IPv6 and no abstract Unix socket of the machine; Unix sockets with a path are
not in the tree; the filter refuses every kind of socket but Unix, since no namespace holds vsock. The process namespace
hides other processes from signals, ptrace and /proc, and when its first process ends, the kernel ends all others, which
no daemon can escape; the helper is first in such a namespace itself, so nothing outlives it either. The filter refuses
system calls in which most ways out of namespaces were found, and what no limit counts (memfd, System V memory).

Memory. RLIMIT_AS, at what the helper has mapped (0.7 GB with torch 2.13 for CPUs, no large reservations) plus the
limit, makes an allocation of 30 GB fail at once and cost its own cell only. It counts for each process, so the helper
also looks every 25 ms at the memory and the processor time of all processes of the run together, shared pages in
proportion, and ends the run above the limit. Buffers of sockets and pipes count as nobody's memory; the filter keeps
their size, and the numbers of descriptors and processes bound them (60 processes filled 1.2 GB); the child's
oom_score_adj of 1000 makes it the first to go if the machine runs out of memory nevertheless. Control groups would
count those too, but need rights that graders rarely have.

What is not closed: flaws of the kernel, timing of the shared processor, and the names in /proc/self/mounts, which tell
where the grader keeps Python and this project. A run may start programs (`/bin/sh` among them), as confined as itself.
On a GPU, memory of the device has no limit.

Why by these means. sandlock 0.9 confines a live process in 1.4 ms, but with Landlock only (seccomp and limits need a
process that it starts itself), insists on Linux 6.12 (Landlock version 6), brings a library of 13 MB for three system
calls, and is young: 25 releases before 1.0, its main class renamed on the way. The three calls have an interface that
the kernel promises to keep, so they are made here (`landlock`), and so are the mounts (`namespaces`, `system`). A
seccomp filter needs the numbers of system calls of each architecture, which libseccomp keeps. It is on every system
with apt or systemd, and the few functions of it that a filter takes are called directly (`filters`): its binding
pyseccomp, 15 kB, has had no release since 2021. bubblewrap is what Flatpak stands on, kept up and packaged by every
distribution. It cannot take the place of the fork: a tool starts a program, and starting Python with torch costs the
two to three seconds that a fork of a warm process saves.
"""

from autograder.sandbox.origin import Origin
from autograder.sandbox.values import Limits, Outcome, SandboxError, SandboxUnavailable, Way
from autograder.sandbox.warm import Warm, choose, ways

__all__ = ["Limits", "Origin", "Outcome", "SandboxError", "SandboxUnavailable", "Warm", "Way", "choose", "ways"]
