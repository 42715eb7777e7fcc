# Answers each request with every string that Rack hands to an application.
require 'json'
require 'rack'

class Seen
  attr_reader :pairs

  def initialize
    @pairs = []
  end

  def see(where, value)
    case value
    when String then @pairs << [where, value.dup.force_encoding('UTF-8').scrub]
    when Hash
      value.each do |name, inner|
        see("#{where} name", name.to_s)
        see(where, inner)
      end
    when Array then value.each { |inner| see(where, inner) }
    end
  end

  def attempt
    yield
  rescue StandardError
    nil
  end
end

def read_part(seen, value)
  if value.is_a?(Hash) && value[:tempfile]
    seen.see('filename', value[:filename])
    seen.see('file type', value[:type])
    seen.see('body name', value[:name])
    seen.see('file', value[:tempfile].read)
  elsif value.is_a?(Hash)
    value.each do |name, inner|
      seen.see('body name', name.to_s)
      read_part(seen, inner)
    end
  elsif value.is_a?(Array)
    value.each { |inner| read_part(seen, inner) }
  else
    seen.see('body', value)
  end
end

run(lambda do |env|
  seen = Seen.new
  request = Rack::Request.new(env)
  seen.see('method', request.request_method)
  seen.see('url', env['REQUEST_URI'] || request.fullpath)
  seen.attempt { seen.see('url', Rack::Utils.unescape_path(request.path).split('/')) }
  seen.attempt { seen.see('query', request.GET) }
  seen.attempt { seen.see('cookie', request.cookies) }
  env.each do |key, value|
    next if !key.start_with?('HTTP_') || key == 'HTTP_VERSION'

    seen.see("header #{key[5..].downcase.tr('_', '-')}", value)
  end
  seen.see('header content-type', env['CONTENT_TYPE'])
  seen.attempt { read_part(seen, request.POST) }
  unless env['CONTENT_TYPE'].to_s.downcase.start_with?('multipart/')
    body = request.body
    body.rewind
    text = body.read
    seen.see('raw', text)
    seen.attempt { seen.see('raw json', JSON.parse(text, max_nesting: 200)) }
  end
  [200, { 'content-type' => 'application/json' }, [JSON.generate(seen.pairs)]]
end)
