# frozen_string_literal: true

require_relative "sallyport"

use Sallyport,
    url: ENV.fetch("SALLYPORT_URL", "http://127.0.0.1:8080"),
    key: ENV.fetch("SALLYPORT_KEY"),
    on_outage: ENV.fetch("SALLYPORT_ON_OUTAGE", "allow"),
    time_limit: ENV.fetch("SALLYPORT_TIMEOUT_MS", "150").to_f / 1000

# Says back what it was sent.
run(lambda do |env|
  body = env["rack.input"].read
  [200, { "content-type" => "text/plain; charset=utf-8" }, [body.empty? ? "hello\n" : body]]
end)
