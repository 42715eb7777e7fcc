/*
 * A place where hostile shell commands run and a report of what they did. One program, two faces:
 *
 * `jail`: the first process of new namespaces (user, mount, pid, net). It builds a root in memory
 * from its arguments, leaves the old one for good, and runs each command line that comes on stdin:
 * without capabilities, in bounded time, on files that are made anew after each change.
 * By any other name: a program that records how it was called and does nothing.
 *
 * Arguments: secret, then groups of two: `copy PATH=FILE`, `show PATH`, `stub NAME`,
 * `link PATH=TARGET`, `file PATH=CONTENT`, `env NAME=VALUE`.
 * A command: length (4 bytes, little endian), then the program and its argv, each ended by NUL.
 * A report: length, then fields ended by NUL: flags, exit status, the begin of the output, and for
 * each call: count, argv.
 * Flags: r a file was read, w files were changed, n a connection came, t time ran out, s the secret
 * was shown or got into a program.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 400, GRACE_MS = 80, ITEMS_MAX = 400, OUTPUT_MAX = 1 << 20, RECORD_MAX = 4000 };
static const char calls_path[] = "/.calls", secret_path[] = "/.secret", work[] = "/var/www/app";
static const int ports[] = {22, 25, 53, 80, 443, 1337, 4242, 4444, 5555, 8000, 8080, 9001, 31337};
enum { PORTS = sizeof ports / sizeof *ports };

static char secret[64];
static size_t secret_length;
static char *files[ITEMS_MAX], *envs[ITEMS_MAX];
static int file_count, env_count, calls_fd, listeners[2 * PORTS];

static void die(const char *what) {
  fprintf(stderr, "jail: %s: %s\n", what, strerror(errno));
  exit(1);
}

static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Looks for the secret in a stream; `tail` holds the end of what came before, `shown` its begin. */
struct scan { char tail[64], shown[2048]; size_t length, shown_length; int found; };

static void scan(struct scan *s, const char *bytes, size_t length) {
  char joined[64 + 4096];
  /* A zero byte ends a field of the report. */
  for (size_t at = 0; at < length && s->shown_length < sizeof s->shown; at += 1)
    if (bytes[at]) s->shown[s->shown_length++] = bytes[at];
  while (length > 0) {
    size_t part = length > 4096 ? 4096 : length;
    memcpy(joined, s->tail, s->length);
    memcpy(joined + s->length, bytes, part);
    size_t total = s->length + part;
    if (memmem(joined, total, secret, secret_length)) s->found = 1;
    s->length = total < secret_length ? total : secret_length - 1;
    memmove(s->tail, joined + total - s->length, s->length);
    bytes += part;
    length -= part;
  }
}

/* ---- The recording program. ---- */

static int record_call(int argc, char **argv) {
  char record[RECORD_MAX + 64];
  size_t end = 8;
  int kept = 0;
  for (; kept < argc; kept += 1) {
    size_t length = strlen(argv[kept]) + 1;
    if (end + length > RECORD_MAX) break;
    memcpy(record + end, argv[kept], length);
    end += length;
  }
  /* The length of what follows, then how many arguments it has. */
  snprintf(record, 9, "%04x%03x", (unsigned)(end - 8) & 0xffff, (unsigned)kept & 0xfff);
  record[7] = 'c';
  int fd = open(calls_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && write(fd, record, end) < 0) return -1;
  return fd;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static int stub(int argc, char **argv) {
  int log = record_call(argc, argv), given = 0;
  FILE *file = fopen(secret_path, "re");
  if (!file || fscanf(file, "%63s %d", secret, &given) != 2) return 1;
  fclose(file);
  secret_length = strlen(secret);
  for (char **one = environ; *one; one += 1) given -= strstr(*one, secret) != NULL;
  /* The secret has got into a variable that the application did not put it in. */
  if (given < 0 && write(log, "0000000s", 8) < 0) return 1;
  struct stat st;
  /* As most programs do for a name that cannot be one. */
  int status = argc > 1 && !strpbrk(argv[argc - 1], letters);
  if (fstat(0, &st) < 0 || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
    return status;
  struct scan input = {0};
  char buffer[4096];
  ssize_t got;
  for (int total = 0; total < 1 << 16 && (got = read(0, buffer, sizeof buffer)) > 0; total += got)
    scan(&input, buffer, (size_t)got);
  if (input.found && write(log, "0000000s", 8) < 0) return 1;
  return status;
}

/* ---- The root. ---- */

static void make_parents(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0755);
    *slash = '/';
  }
}

static void copy_file(int from, char *to) {
  make_parents(to);
  int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
  if (from < 0 || fd < 0) die(to);
  char buffer[1 << 16];
  for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;)
    if (write(fd, buffer, (size_t)got) != got) die(to);
  close(fd);
  close(from);
}

static char *split(char *pair) {
  char *value = strchr(pair, '=');
  if (!value) die(pair);
  *value = 0;
  return value + 1;
}

static void read_only(const char *path) {
  struct statvfs st;
  if (statvfs(path, &st) < 0) die(path);
  unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY;
  if (st.f_flag & ST_NOSUID) flags |= MS_NOSUID;
  if (st.f_flag & ST_NODEV) flags |= MS_NODEV;
  if (st.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
  if (st.f_flag & ST_NOATIME) flags |= MS_NOATIME;
  if (st.f_flag & ST_NODIRATIME) flags |= MS_NODIRATIME;
  if (st.f_flag & ST_RELATIME) flags |= MS_RELATIME;
  if (mount(NULL, path, NULL, flags, NULL) < 0) die(path);
}

static void show(const char *path) {
  char target[256];
  snprintf(target, sizeof target, "/tmp%s", path);
  make_parents(target);
  struct stat st;
  if (stat(path, &st) < 0) die(path);
  if (S_ISDIR(st.st_mode)) mkdir(target, 0755);
  else close(open(target, O_WRONLY | O_CREAT, 0644));
  if (mount(path, target, NULL, MS_BIND, NULL) < 0) die(target);
  if (S_ISDIR(st.st_mode)) read_only(target);
}

static void add(const char *kind, char *what, const char *self) {
  char path[256];
  if (strcmp(kind, "copy") == 0) {
    char *from = split(what);
    snprintf(path, sizeof path, "/tmp%s", what);
    copy_file(open(from, O_RDONLY | O_CLOEXEC), path);
  } else if (strcmp(kind, "stub") == 0) {
    snprintf(path, sizeof path, "/tmp/usr/bin/%s", what);
    make_parents(path);
    if (link(self, path) < 0) die(path);
  } else if (strcmp(kind, "link") == 0) {
    char *target = split(what);
    snprintf(path, sizeof path, "/tmp%s", what);
    make_parents(path);
    if (symlink(target, path) < 0) die(path);
  } else if (strcmp(kind, "show") == 0) {
    show(what);
  } else if (strcmp(kind, "file") == 0 && file_count < ITEMS_MAX) {
    files[file_count++] = what;
    split(what);
  } else if (strcmp(kind, "env") == 0 && env_count < ITEMS_MAX - 1) {
    envs[env_count++] = what;
  } else {
    errno = EINVAL;
    die(kind);
  }
}

/* In another user namespace a command would have capabilities again. */
static void forbid_namespaces(void) {
  FILE *file = fopen("/proc/sys/user/max_user_namespaces", "we");
  if (!file || fputs("0", file) < 0 || fclose(file) != 0) die("max_user_namespaces");
}

static void build_root(int argc, char **argv) {
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) die("private mounts");
  if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID, "size=64m,mode=755") < 0) die("tmpfs");
  char first[] = "/tmp/.program";
  copy_file(self, first);
  for (int i = 2; i + 1 < argc; i += 2) add(argv[i], argv[i + 1], first);
  mkdir("/tmp/var", 0755);
  mkdir("/tmp/proc", 0555);
  if (mount("tmpfs", "/tmp/var", "tmpfs", MS_NOSUID | MS_NODEV | MS_STRICTATIME,
            "size=2m,nr_inodes=2000,mode=755") < 0) die("var");
  /* Only where the machine allows it: /dev/fd needs it, nothing else does. */
  mount("proc", "/tmp/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL);
  if (mkfifo("/tmp/.calls", 0666) < 0) die("calls");
  int given = 0;
  for (int i = 0; i < env_count; i += 1) given += strstr(envs[i], secret) != NULL;
  FILE *file = fopen("/tmp/.secret", "we");
  if (!file || fprintf(file, "%s %d\n", secret, given) < 0 || fclose(file) != 0) die("secret");
  if (chdir("/tmp") < 0 || syscall(SYS_pivot_root, ".", ".") < 0) die("pivot_root");
  if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0) die("old root");
  read_only("/");
  calls_fd = open(calls_path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (calls_fd < 0) die(calls_path);
}

/* ---- The network: all addresses are this machine, which listens on some ports. ---- */

static void set_address(int fd, const char *name, const char *address, const char *mask) {
  struct ifreq request = {0};
  struct sockaddr_in *in = (struct sockaddr_in *)&request.ifr_addr;
  snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
  in->sin_family = AF_INET;
  in->sin_addr.s_addr = inet_addr(address);
  ioctl(fd, SIOCSIFADDR, &request);
  in->sin_addr.s_addr = inet_addr(mask);
  ioctl(fd, SIOCSIFNETMASK, &request);
}

static void open_network(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  if (ioctl(fd, SIOCSIFFLAGS, &request) < 0) die("loopback");
  set_address(fd, "lo:1", "10.0.0.1", "255.0.0.0");
  set_address(fd, "lo:2", "172.16.0.1", "255.240.0.0");
  set_address(fd, "lo:3", "192.168.0.1", "255.255.0.0");
  set_address(fd, "lo:4", "203.0.113.1", "255.255.255.0");
  close(fd);
  for (int i = 0; i < PORTS; i += 1) {
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons((uint16_t)ports[i])};
    for (int udp = 0; udp < 2; udp += 1) {
      int kind = (udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
      int one = listeners[2 * i + udp] = socket(AF_INET, kind, 0);
      if (bind(one, (struct sockaddr *)&any, sizeof any) < 0) die("bind");
      if (!udp && listen(one, 16) < 0) die("listen");
    }
  }
}

static int was_called(void) {
  int found = 0;
  char byte;
  for (int i = 0; i < 2 * PORTS; i += 2) {
    for (int fd; (fd = accept4(listeners[i], NULL, NULL, SOCK_CLOEXEC)) >= 0; close(fd)) found = 1;
    while (recv(listeners[i + 1], &byte, 1, MSG_DONTWAIT) >= 0) found = 1;
  }
  return found;
}

/* ---- The files: made anew after each change. ---- */

/* Two sums over all that is below a folder: of everything, and of what it holds. */
struct tree { uint64_t all, content; };

/* Adds up a tree, or removes it. */
static struct tree walk(int folder, int removing) {
  struct tree sum = {0, 0};
  DIR *dir = fdopendir(folder);
  if (!dir) return sum;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    struct stat st;
    if (fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) continue;
    struct tree below = {0, 0};
    if (S_ISDIR(st.st_mode))
      below = walk(openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), removing);
    if (removing) unlinkat(folder, entry->d_name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0);
    uint64_t facts[] = {st.st_ino, st.st_mode, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                        (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ctim.tv_sec,
                        (uint64_t)st.st_ctim.tv_nsec};
    uint64_t one = 14695981039346656037ULL;
    for (size_t i = 0; i < sizeof facts; i += 1)
      one = (one ^ ((unsigned char *)facts)[i]) * 1099511628211ULL;
    sum.all += one + below.all;
    /* An empty file is no effect: `>` in a sentence makes one. */
    if (S_ISDIR(st.st_mode)) sum.content += below.content;
    else if (st.st_size > 0 || !S_ISREG(st.st_mode)) sum.content += one;
  }
  closedir(dir);
  return sum;
}

static struct tree clean;

static struct tree walk_all(int removing) {
  return walk(open("/var", O_RDONLY | O_DIRECTORY | O_CLOEXEC), removing);
}

static void make_files(void) {
  const struct timespec times[2] = {{0, 0}, {0, UTIME_OMIT}};
  walk_all(1);
  for (int i = 0; i < file_count; i += 1) {
    make_parents(files[i]);
    const char *content = files[i] + strlen(files[i]) + 1;
    int fd = open(files[i], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, content, strlen(content)) < 0) die(files[i]);
    close(fd);
    utimensat(AT_FDCWD, files[i], times, 0);
  }
  mkdir("/var/tmp", 01777);
  clean = walk_all(0);
}

static int was_read(void) {
  struct stat st;
  for (int i = 0; i < file_count; i += 1)
    if (strstr(files[i] + strlen(files[i]) + 1, secret) && stat(files[i], &st) == 0 &&
        st.st_atim.tv_sec != 0) return 1;
  return 0;
}

/* ---- A command. ---- */

static void limit(int what, rlim_t most) {
  struct rlimit bound = {most, most};
  setrlimit(what, &bound);
}

static void become(char **argv, int output, const sigset_t *mask) {
  int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  close_range(3, ~0U, 0);
  limit(RLIMIT_CPU, 1);
  limit(RLIMIT_FSIZE, 1 << 18);
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_NPROC, 48);
  limit(RLIMIT_DATA, 64 << 20);
  limit(RLIMIT_CORE, 0);
  for (int cap = 0; cap < 64; cap += 1) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {0};
  syscall(SYS_capset, &header, none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  sigprocmask(SIG_SETMASK, mask, NULL);
  setsid();
  if (chdir(work) == 0) execve(argv[0], argv + 1, envs);
  _exit(126);
}

struct report { char *bytes; size_t length, size; int stdin_secret; };

static void append(struct report *r, const char *bytes, size_t length) {
  if (r->length + length > r->size) return;
  memcpy(r->bytes + r->length, bytes, length);
  r->length += length;
}

/* What the recording programs wrote, as far as it is well formed. */
static void take_calls(struct report *r) {
  static char buffer[1 << 16];
  ssize_t got = read(calls_fd, buffer, sizeof buffer);
  for (ssize_t at = 0; at + 8 <= got;) {
    char length_text[5] = {0}, count_text[4] = {0}, kind = buffer[at + 7];
    memcpy(length_text, buffer + at, 4);
    memcpy(count_text, buffer + at + 4, 3);
    long length = strtol(length_text, NULL, 16), count = strtol(count_text, NULL, 16);
    if (length < 0 || at + 8 + length > got || (kind != 'c' && kind != 's')) break;
    if (kind == 's') r->stdin_secret = 1;
    else {
      char head[16];
      append(r, head, (size_t)snprintf(head, sizeof head, "%ld", count) + 1);
      append(r, buffer + at + 8, (size_t)length);
    }
    at += 8 + length;
  }
}

static void on_child(int signal) { (void)signal; }

/* Waits for the command and its children; true where time ran out. */
static int watch(pid_t main_child, int output, struct scan *out, struct report *r, int *status) {
  long deadline = now_ms() + LIMIT_MS;
  int main_ended = 0, total = 0;
  sigset_t none;
  sigemptyset(&none);
  char buffer[4096];
  for (;;) {
    int one;
    pid_t ended;
    while ((ended = waitpid(-1, &one, WNOHANG)) > 0) {
      if (ended != main_child) continue;
      *status = WIFEXITED(one) ? WEXITSTATUS(one) : 128 + WTERMSIG(one);
      main_ended = 1;
      if (deadline > now_ms() + GRACE_MS) deadline = now_ms() + GRACE_MS;
    }
    int all_ended = ended < 0;
    long left = all_ended ? 0 : deadline - now_ms();
    struct pollfd fds[2] = {{output, POLLIN, 0}, {calls_fd, POLLIN, 0}};
    struct timespec time = {left > 0 ? left / 1000 : 0, left > 0 ? left % 1000 * 1000000 : 0};
    int ready = ppoll(fds, 2, &time, &none);
    if (ready > 0 && fds[1].revents & POLLIN) take_calls(r);
    ssize_t got = 0;
    if (ready > 0 && fds[0].revents && (got = read(output, buffer, sizeof buffer)) > 0) {
      scan(out, buffer, (size_t)got);
      total += (int)got;
    }
    /* All have closed it: polling would return at once for ever. */
    if (ready > 0 && fds[0].revents && got == 0) output = -1;
    if (all_ended && got <= 0) return 0;
    if ((!all_ended && left <= 0) || total > OUTPUT_MAX) return !main_ended;
  }
}

static void run(char **argv) {
  static char fields[1 << 18];
  struct report calls = {.bytes = fields, .size = sizeof fields};
  struct scan out = {0};
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  int ends[2], status = 255;
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) die("pipe");
  fcntl(ends[1], F_SETFL, 0);
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) become(argv, ends[1], &before);
  close(ends[1]);
  int late = watch(pid, ends[0], &out, &calls, &status);
  /* As the first process of its namespace: all others, and no process outside. */
  kill(-1, SIGKILL);
  while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) continue;
  take_calls(&calls);
  close(ends[0]);
  struct tree after = walk_all(0);
  int changed = after.content != clean.content, seen = was_read();
  char head[32];
  int length = snprintf(head, sizeof head, "%s%s%s%s%s", seen ? "r" : "", changed ? "w" : "",
                        was_called() ? "n" : "", out.found || calls.stdin_secret ? "s" : "",
                        late ? "t" : "") + 1;
  length += snprintf(head + length, sizeof head - (size_t)length, "%d", status) + 1;
  if (after.all != clean.all || seen) make_files();
  uint32_t total = (uint32_t)length + (uint32_t)out.shown_length + 1 + (uint32_t)calls.length;
  fwrite(&total, 4, 1, stdout);
  fwrite(head, (size_t)length, 1, stdout);
  fwrite(out.shown, out.shown_length, 1, stdout);
  fputc(0, stdout);
  fwrite(fields, calls.length, 1, stdout);
  fflush(stdout);
}

int main(int argc, char **argv) {
  const char *name = strrchr(argv[0], '/');
  if (strcmp(name ? name + 1 : argv[0], "jail") != 0) return stub(argc, argv);
  if (argc < 2 || strlen(argv[1]) >= sizeof secret) return 2;
  strcpy(secret, argv[1]);
  secret_length = strlen(secret);
  signal(SIGCHLD, on_child);
  signal(SIGPIPE, SIG_DFL);
  open_network();
  forbid_namespaces();
  build_root(argc, argv);
  make_files();
  for (uint32_t length; fread(&length, 4, 1, stdin) == 1;) {
    char *line = malloc(length + 1), *argv_of_it[64];
    if (!line || fread(line, 1, length, stdin) != length) return 1;
    line[length] = 0;
    int count = 0;
    for (char *at = line; at < line + length && count < 63; at += strlen(at) + 1)
      argv_of_it[count++] = at;
    argv_of_it[count] = NULL;
    run(argv_of_it);
    free(line);
  }
  return 0;
}
