# Renders vulnerable templates with ERB: one line of JSON in, the effect out.
require 'erb'

def judge(given, answer)
  scope = Object.new.instance_eval { binding }
  scope.local_variable_set(:config, { secret_key: given['secret'] })
  template = ERB.new(given['source'])
  watch_all(-> { answer.call('{"reached":true}') })
  shown = template.result(scope)
  answer.call(JSON.generate({ shown: shown[0, 8000] }))
rescue Exception
  answer.call('{}')
end

answer_in_children('{}') { |given, answer| judge(given, answer) }
