# Renders vulnerable templates with ERB: one line of JSON in, the effect out, a process for each.
require 'erb'
require 'json'

# What must not be reached: each of these records the call instead.
def watch(owner, names, out)
  names.each do |name|
    owner.send(:define_method, name) do |*_args, **_named, &_block|
      out.syswrite('{"reached":true}')
      Process.exit!(0)
    end
  end
end

def watch_all(out)
  kernel = %i[system exec spawn ` fork open syscall load test]
  watch(Kernel, kernel, out)
  watch(Kernel.singleton_class, kernel, out)
  watch(Process.singleton_class, %i[spawn exec fork kill daemon], out)
  watch(IO.singleton_class, %i[popen read readlines foreach binread write binwrite sysopen], out)
  watch(File.singleton_class, %i[new open delete unlink rename read readlines write chmod], out)
  watch(Dir.singleton_class, %i[glob entries children [] each_child foreach open new mkdir], out)
end

def judge(given, out)
  Process.setrlimit(:FSIZE, 0)
  Process.setrlimit(:NPROC, 0)
  Process.setrlimit(:CPU, 1)
  scope = Object.new.instance_eval { binding }
  scope.local_variable_set(:config, { secret_key: given['secret'] })
  template = ERB.new(given['source'])
  answer = ->(shown) { out.syswrite(JSON.generate({ shown: shown[0, 8000] })) }
  watch_all(out)
  answer.call(template.result(scope))
rescue Exception
  out.syswrite('{}')
ensure
  Process.exit!(0)
end

answers = $stdout.dup
null = IO.for_fd(IO.sysopen('/dev/null', 'w'), autoclose: false)
$stdout.reopen(null)
answers.syswrite("ready\n")
while (line = $stdin.gets)
  given = JSON.parse(line)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    judge(given, writer)
  end
  writer.close
  said = reader.read
  reader.close
  Process.wait(child)
  answers.syswrite("#{said.nil? || said.empty? ? '{}' : said[/\A.*/]}\n")
end
