-- For HAProxy: asks Sallyport about a request, its body included, before it goes to a backend.
--   http-request lua.sallyport <where /forward is> <block or allow, for an outage> <wait in ms>
-- The backend `sallyport` has a health check that tells whether it is there.
local key = os.getenv('SALLYPORT_KEY')
if key == nil then
  error('sallyport: put the API key into the environment of HAProxy as SALLYPORT_KEY')
end

-- Headers of the connection, and those that are set below whatever the client sends.
local left_out = {
  ['connection'] = true, ['content-length'] = true, ['expect'] = true, ['host'] = true,
  ['keep-alive'] = true, ['te'] = true, ['trailer'] = true, ['transfer-encoding'] = true,
  ['upgrade'] = true, ['x-api-key'] = true, ['x-envoy-auth-partial-body'] = true,
}

-- A body without a length that is shorter, its head included, has come whole: HAProxy waits for the
-- end of a body, or for a full buffer.
local surely_whole = 8192

local function values_of(lines)
  local values = {}
  local index = 0
  while lines[index] ~= nil do
    values[#values + 1] = lines[index]
    index = index + 1
  end
  return values
end

local function question(txn)
  local headers = {}
  local head_bytes = 0
  local has_length = false
  for name, lines in pairs(txn.http:req_get_headers()) do
    local values = values_of(lines)
    for _, value in ipairs(values) do head_bytes = head_bytes + #name + #value + 4 end
    if name == 'content-length' then has_length = true end
    if not left_out[name] then headers[name] = values end
  end
  local hosts = txn.http:req_get_headers()['host']
  local addresses = headers['x-forwarded-for'] or {}
  addresses[#addresses + 1] = txn.f:src()
  -- What the application gets under these names is screened under others.
  for _, name in ipairs({ 'x-api-key', 'upgrade', 'te', 'expect' }) do
    local lines = txn.http:req_get_headers()[name]
    if lines ~= nil then headers['x-client-' .. name:gsub('^x%-', '')] = values_of(lines) end
  end
  headers['x-api-key'] = { key }
  headers['x-forwarded-method'] = { txn.f:method() }
  headers['x-forwarded-uri'] = { txn.f:pathq() }
  headers['x-forwarded-host'] = hosts and values_of(hosts) or { '' }
  headers['x-forwarded-proto'] = { txn.f:ssl_fc() == 1 and 'https' or 'http' }
  headers['x-forwarded-for'] = { table.concat(addresses, ', ') }
  local body = txn.f:req_body() or ''
  local size = txn.f:req_body_size() or 0
  if size > #body or (#body > 0 and not has_length and head_bytes + #body > surely_whole) then
    headers['x-envoy-auth-partial-body'] = { 'true' }
  end
  return headers, body
end

local function answer(txn, status, headers, body)
  local reply = txn:reply({ status = status })
  for _, name in ipairs({ 'content-type', 'cache-control', 'x-content-type-options', 'x-decision-id' }) do
    local lines = headers[name]
    if lines ~= nil and lines[0] ~= nil then reply:add_header(name, lines[0]) end
  end
  reply:set_body(body)
  txn:done(reply)
end

-- An unreachable server is not asked: HAProxy would try for three seconds.
local function ask(txn, url, wait_ms)
  if txn.f:nbsrv('sallyport') == 0 then return { status = 0 } end
  local headers, body = question(txn)
  local request = { url = url, headers = headers, body = body, timeout = tonumber(wait_ms) }
  return core.httpclient():post(request) or { status = 0 }
end

local function screen(txn, url, on_outage, wait_ms)
  local told = ask(txn, url, wait_ms)
  local status = told.status
  if status == 200 then return end
  if status == 403 then return answer(txn, 403, told.headers, told.body) end
  -- Only where no answer came: any other status says something of the request, or of the key.
  local is_outage = status == 0 or status == 502 or status == 503 or status == 504
  if is_outage and on_outage == 'allow' then return end
  core.Warning('sallyport answered ' .. status .. ': see that it runs, and that the key is valid')
  answer(txn, 503, {}, 'Service Unavailable\n')
end

core.register_action('sallyport', { 'http-req' }, screen, 3)
