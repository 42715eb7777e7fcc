# frozen_string_literal: true

require "json"
require "net/http"
require "stringio"
require "timeout"
require "uri"

# Lets Sallyport look at each request before a Rack application (Rails, Sinatra, ...) sees it.
#
#   use Sallyport, url: "http://127.0.0.1:8080", key: ENV.fetch("SALLYPORT_KEY")
#
# Ruby 3.0 or newer, standard library and Rack only. To try it: SALLYPORT_KEY=... puma config.ru
class Sallyport
  # Sallyport takes 1 MiB; the other parts of the request need some of it.
  BODY_BYTES_MAX = 900_000
  # Sent in a form of their own, or not at all. All other headers are screened.
  HANDLED_APART = %w[content-length cookie x-forwarded-for].freeze
  # These hold the secret of a client, as long as that is a plain token.
  SECRET_HEADERS = %w[authorization proxy-authorization x-api-key api-key apikey x-auth-token
                      x-access-token x-csrf-token x-xsrf-token csrf-token
                      x-amz-security-token].freeze
  # With the name of its scheme in front, or without.
  TOKEN = %r{\A([A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._~+/-]++=*\z}
  BASIC = /\Abasic +(.*)\z/i
  SANE_ID = /\A[A-Za-z0-9-]{1,64}\z/

  class NotScreened < StandardError; end

  def initialize(app, url:, key:, on_outage: "allow", time_limit: 0.150)
    @app = app
    @uri = URI("#{url.chomp('/')}/control")
    @headers = { "content-type" => "application/json", "x-api-key" => key,
                 "x-deadline-ms" => (time_limit * 1000).to_i.to_s }
    @on_outage = on_outage
    @time_limit = time_limit
    @idle = Queue.new
  end

  def call(env)
    judge(env) || @app.call(env)
  end

  private

  def judge(env)
    text, whole = members_of(env)
    status, answer = ask(text)
    case [status, answer["decision"]]
    when [403, "block"]
      id = answer["id"].to_s
      raise NotScreened, "a block without an id" unless SANE_ID.match?(id)

      # The reason is for the log: an attacker gets the id only.
      warn "sallyport: blocked #{id}: #{answer['detail'].inspect}"
      refusal(403, "This request was refused. Id: #{id}\n")
    when [200, "allow"]
      raise NotScreened, "the body is too large to be looked at whole" unless whole
    else
      raise NotScreened, "answer #{status}: #{answer['detail'].inspect}"
    end
  rescue StandardError => e
    warn "sallyport: not screened: #{e.message.inspect}"
    refusal(503, "This request cannot be checked now. Try again.\n") if @on_outage == "block"
  end

  def refusal(status, text)
    headers = { "content-type" => "text/plain; charset=utf-8", "cache-control" => "no-store" }
    [status, headers, [text]]
  end

  # Status and JSON of the answer; all of it must be there within the time limit.
  def ask(text)
    Timeout.timeout(@time_limit, NotScreened, "no answer within #{(@time_limit * 1000).to_i} ms") do
      response = post(text)
      answer = JSON.parse(response.body)
      [response.code.to_i, answer.is_a?(Hash) ? answer : {}]
    end
  end

  # Posts over a connection that was kept open, if there is one.
  def post(text)
    kept = idle_connection
    connection = kept || Net::HTTP.start(@uri.host, @uri.port, use_ssl: @uri.scheme == "https")
    response = connection.post(@uri.path, text, @headers)
    @idle << connection
    response
  rescue EOFError, SystemCallError
    # One that was kept open may be closed at the moment of its use.
    kept ? retry : raise
  ensure
    # What came too late must not be the answer to the next question.
    connection.finish if response.nil? && connection&.started?
  end

  def idle_connection
    @idle.pop(true)
  rescue ThreadError
    nil
  end

  # The request as the text of a JSON object, and whether all of it is in there.
  def members_of(env)
    members = Hash.new { |all, name| all[name] = [] }
    members["method"] << env["REQUEST_METHOD"]
    members["path"] << env["SCRIPT_NAME"].to_s + env["PATH_INFO"].to_s
    env.each do |key, value|
      next unless key.start_with?("HTTP_") || key == "CONTENT_TYPE"

      name = key.delete_prefix("HTTP_").downcase.tr("_", "-")
      add_header(members, name, value) unless HANDLED_APART.include?(name)
    end
    chain = [env["HTTP_X_FORWARDED_FOR"], env["REMOTE_ADDR"]].compact
    members["header.x-forwarded-for"] << chain.join(", ")
    env["HTTP_COOKIE"].to_s.split(";").each do |pair|
      name, value = pair.strip.split("=", 2)
      members["cookie.#{name}"] << value.to_s if name
    end
    add_form(members, "query", env["QUERY_STRING"].to_s)
    raw, whole = read_body(env)
    document = add_body(members, raw, env)
    flat = members.to_h { |name, found| [utf8(name), one_or_all(found)] }
    text = JSON.generate(flat)
    # As it came: to write it anew would lose the first of two members of one name.
    text = "#{text.chop},\"body\":#{document}}" if document
    [text, whole]
  end

  # Adds a header whole, but of a secret no plain token, and of Basic the user's name.
  def add_header(members, name, value)
    if SECRET_HEADERS.include?(name)
      credentials = value.b[BASIC, 1]
      user = credentials&.unpack1("m")&.split(":", 2)&.first
      members["header.#{name}.user"] << user if user
      return if TOKEN.match?(value.b)
    end
    members["header.#{name}"] << value
  end

  def one_or_all(found)
    texts = found.map { |text| utf8(text) }
    texts.size == 1 ? texts.first : texts
  end

  # The body, put back for the application, and whether that is all of it.
  def read_body(env)
    return ["", false] if env["CONTENT_LENGTH"].to_i > BODY_BYTES_MAX
    return ["", true] if env["rack.input"].nil?

    raw = env["rack.input"].read(BODY_BYTES_MAX + 1).to_s
    whole = raw.bytesize <= BODY_BYTES_MAX
    env["rack.input"] = StringIO.new(whole ? raw : raw + env["rack.input"].read.to_s)
    [raw.byteslice(0, BODY_BYTES_MAX), whole]
  end

  # Adds a body as its type says that it will be read. JSON is given back instead.
  def add_body(members, raw, env)
    type = env["CONTENT_TYPE"].to_s.split(";").first.to_s.strip.downcase
    if raw.empty?
      nil
    elsif type.start_with?("multipart/")
      add_parts(members, raw, env)
    elsif type == "application/x-www-form-urlencoded"
      add_form(members, "body", raw)
    elsif type.end_with?("/json", "+json") && json?(utf8(raw))
      return utf8(raw)
    else
      members["body"] << raw
    end
    nil
  end

  def json?(text)
    JSON.parse(text)
    # Ruby also takes comments, which are no JSON: a slash stands in strings only.
    !text.gsub(/"(?:[^"\\]|\\.)*"/, "").include?("/")
  rescue JSON::ParserError
    false
  end

  # Rack reads multipart; what it finds is kept in the environment for the application.
  def add_parts(members, raw, env)
    fields = Rack::Request.new(env).POST
    fields.empty? ? members["body"] << raw : add_values(members, "body", fields)
  rescue StandardError
    members["body"] << raw
  end

  def add_values(members, name, value)
    case value
    when Hash
      return members["#{name}.filename"] << value[:filename] if value[:filename]

      value.each { |key, inner| add_values(members, "#{name}.#{key}", inner) }
    when Array then value.each { |inner| add_values(members, name, inner) }
    else members[name] << value.to_s
    end
  end

  def add_form(members, part, text)
    text.split("&").reject(&:empty?).each do |pair|
      name, value = pair.split("=", 2)
      members["#{part}.#{decoded(name)}"] << decoded(value.to_s)
    end
  end

  # Bytes that are no text stay as they are: they are evidence.
  def decoded(text)
    plain = URI.decode_www_form_component(text)
    plain.valid_encoding? ? plain : text
  rescue ArgumentError
    text
  end

  def utf8(text)
    text.dup.force_encoding(Encoding::UTF_8).scrub
  end
end
