# Values that Ruby makes objects of: classes that attackers name are stubs.
require 'json'
require 'psych'

$reached = false

# Made from a value, whatever way that takes.
module Canary
  def self.included(base)
    base.define_singleton_method(:_load) { |_| $reached = true; base.allocate }
  end
  def marshal_load(_) = $reached = true
  def init_with(_) = $reached = true
  def hash = ($reached = true; 1)
  def each = $reached = true
  def to_s = ($reached = true; '')
end

%w[
  Gem::Requirement Gem::Installer Gem::SpecFetcher Gem::RequestSet Gem::Source Gem::Version
  Gem::Package::TarReader Gem::Resolver::GitSpecification Net::WriteAdapter Net::BufferedIO ERB Logger OpenStruct
  ActiveSupport::Deprecation::DeprecatedInstanceVariableProxy ActionDispatch::Routing::Mapper
  Rails::Application Rack::Response Sprockets::ERBProcessor
].each do |path|
  names = path.split('::')
  last = names.pop
  outer = names.reduce(Object) do |scope, name|
    scope.const_defined?(name, false) ? scope.const_get(name) : scope.const_set(name, Class.new)
  end
  outer.send(:remove_const, last) if outer.const_defined?(last, false)
  outer.const_set(last, Class.new { include Canary })
end

# Plain objects are enough: what they are made of is called later.
SEE = proc do |value|
  $reached = true if value.class.include?(Canary)
  value
end

READ = {
  'Marshal, base64' => ->(text) { Marshal.load(text.unpack1('m'), SEE) },
  'Marshal, base64url' => ->(text) { Marshal.load(text.tr('-_', '+/').unpack1('m'), SEE) },
  'Marshal, hexadecimal' => ->(text) { Marshal.load([text].pack('H*'), SEE) },
  'YAML' => ->(text) { Psych.unsafe_load(text) },
  'YAML, member' => ->(text) { Psych.unsafe_load("name: tea\nvalue: #{text}\n") },
}

def judge(read, text)
  $reached = false
  read.call(text)
  $reached ? 'effective' : 'inert'
rescue StandardError, SyntaxError, SystemStackError
  $reached ? 'effective' : 'error'
end

answers = $stdout.dup
$stdout.reopen(File::NULL)
answers.sync = true
answers.puts 'ready'
$stdin.each_line do |line|
  question = JSON.parse(line)
  answers.puts judge(READ.fetch(question['context']), question['values'][0])
rescue JSON::ParserError
  answers.puts 'error'
end
