# Evaluates vulnerable expressions with Ruby: one line of JSON in, the effect out. Each judgement has a
# separate process, where nothing can be started or written.
require 'json'
require 'open3'
require 'securerandom'
require 'socket'

# What must not be reached: each of these records the call instead.
module Reached
  OUT = [nil]
  def self.now
    OUT[0].syswrite('effective')
    Process.exit!(0)
  end
end

def discount(*_given) = 0

def watch(owner, names)
  names.each do |name|
    owner.send(:define_method, name) { |*_args, **_named, &_block| Reached.now }
  end
end

def watch_all
  kernel = %i[system exec spawn ` fork open syscall load test]
  watch(Kernel, kernel)
  watch(Kernel.singleton_class, kernel)
  watch(Process.singleton_class, %i[spawn exec fork kill daemon setuid])
  watch(IO.singleton_class, %i[popen read readlines foreach binread write binwrite sysopen copy_stream])
  watch(File.singleton_class, %i[new open delete unlink rename read readlines write chmod symlink])
  watch(Dir.singleton_class, %i[glob entries children [] each_child foreach open new mkdir unlink rmdir delete])
  watch(Open3.singleton_class, %i[capture2 capture2e capture3 popen2 popen2e popen3 pipeline])
  watch(ENV.singleton_class, %i[to_h to_a inspect [] fetch map each values keys])
  watch(TCPSocket.singleton_class, %i[new open])
end

def source_of(context, value)
  case context
  when 'expression', 'statement' then value
  when 'argument' then "discount(#{value})"
  when 'string, single quotes' then "discount('#{value}')"
  else "discount(\"#{value}\")"
  end
end

def judge(given, out)
  Reached::OUT[0] = out
  secret = SecureRandom.hex(12)
  config = { secret: secret }
  scope = Object.new.instance_eval { binding }
  scope.local_variable_set(:config, config)
  Process.setrlimit(:FSIZE, 0)
  Process.setrlimit(:NPROC, 0)
  Process.setrlimit(:CPU, 1)
  source = source_of(given['context'], given['values'][0])
  watch_all
  shown = scope.eval(source).to_s
  out.syswrite(shown.include?(secret) ? 'effective' : 'inert')
rescue Exception
  out.syswrite('error')
ensure
  Process.exit!(0)
end

answers = $stdout.dup
null = [IO.sysopen('/dev/null', 'w'), IO.sysopen('/dev/null')].map { |number| IO.for_fd(number, autoclose: false) }
$stdout.reopen(null[0])
answers.syswrite("ready\n")
# The parent reads its lines before anything is watched.
while (line = $stdin.gets)
  given = JSON.parse(line)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdin.reopen(null[1])
    judge(given, writer)
  end
  writer.close
  said = reader.read(16)
  reader.close
  Process.wait(child)
  answers.syswrite("#{said.nil? || said.empty? ? 'error' : said[/\A(?:effective|inert|error)/]}\n")
end
