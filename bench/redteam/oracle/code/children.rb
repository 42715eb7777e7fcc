# What programs that judge in children share: their text is given to Ruby in front of them.
require 'json'

# In place of these methods: each answers and ends the process.
def watch(owner, names, answer)
  names.each do |name|
    owner.send(:define_method, name) { |*_args, **_named, &_block| answer.call }
  end
end

# What leaves an interpreter without libraries.
def watch_all(answer)
  kernel = %i[system exec spawn ` fork open syscall load test]
  watch(Kernel, kernel, answer)
  watch(Kernel.singleton_class, kernel, answer)
  watch(Process.singleton_class, %i[spawn exec fork kill daemon], answer)
  watch(IO.singleton_class, %i[popen read readlines foreach binread write binwrite sysopen], answer)
  watch(File.singleton_class, %i[new open delete unlink rename read readlines write chmod], answer)
  watch(Dir.singleton_class, %i[glob entries children [] each_child foreach open new mkdir], answer)
end

# Answers lines of JSON on standard input, a process for each: it may end, or change anything. The
# block gets the question and a function that answers it and ends the process; `failed` is the answer
# of one that ended without.
def answer_in_children(failed)
  answers = $stdout.dup
  null = [IO.sysopen('/dev/null', 'w'), IO.sysopen('/dev/null')].map { |number| IO.for_fd(number, autoclose: false) }
  $stdout.reopen(null[0])
  answers.syswrite("ready\n")
  # The parent reads its lines before anything is watched.
  while (line = $stdin.gets)
    question = JSON.parse(line)
    reader, writer = IO.pipe
    child = fork do
      reader.close
      $stdin.reopen(null[1])
      Process.setrlimit(:FSIZE, 0)
      Process.setrlimit(:NPROC, 0)
      Process.setrlimit(:CPU, 1)
      yield question, lambda { |said|
        writer.syswrite("#{said}\n")
        Process.exit!(0)
      }
    ensure
      Process.exit!(0)
    end
    writer.close
    said = reader.read
    reader.close
    Process.wait(child)
    answers.syswrite("#{said.nil? || said.empty? ? failed : said[/\A.*/]}\n")
  end
end

