# Evaluates vulnerable expressions with Ruby: one line of JSON in, the effect out.
require 'open3'
require 'securerandom'
require 'socket'

def discount(*_given) = 0

def watch_libraries(answer)
  watch(Process.singleton_class, %i[setuid], answer)
  watch(IO.singleton_class, %i[copy_stream], answer)
  watch(File.singleton_class, %i[symlink], answer)
  watch(Dir.singleton_class, %i[unlink rmdir delete], answer)
  watch(Open3.singleton_class, %i[capture2 capture2e capture3 popen2 popen2e popen3 pipeline], answer)
  watch(ENV.singleton_class, %i[to_h to_a inspect [] fetch map each values keys], answer)
  watch(TCPSocket.singleton_class, %i[new open], answer)
end

def source_of(context, value)
  case context
  when 'expression' then value
  when 'argument' then "discount(#{value})"
  when 'string, single quotes' then "discount('#{value}')"
  else "discount(\"#{value}\")"
  end
end

def judge(given, answer)
  secret = SecureRandom.hex(12)
  scope = Object.new.instance_eval { binding }
  scope.local_variable_set(:config, { secret: secret })
  source = source_of(given['context'], given['values'][0])
  reached = -> { answer.call('effective') }
  watch_all(reached)
  watch_libraries(reached)
  shown = scope.eval(source).to_s
  answer.call(shown.include?(secret) ? 'effective' : 'inert')
rescue Exception
  answer.call('error')
end

answer_in_children('error') { |given, answer| judge(given, answer) }
