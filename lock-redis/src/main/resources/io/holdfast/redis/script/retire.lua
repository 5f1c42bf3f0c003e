-- Retires what version 1 has stored in a partition, unless a session lives there: removes sessions and
-- locks, and lets the namespace go on in the present layout, with the greatest number as its floor.
-- From then on each script of a client of version 1 is refused. Finds the keys by looking through all
-- of the server's: version 1 has no list of its sessions.
--
-- In version 1 the record of a lock is a hash with the field "number", and "life" is an incarnation.
--
-- ARGV[4]  "1" to retire; "0" to tell only whether that can be done
-- ARGV[5]  how many live sessions are told
-- Returns {state, protocol, partitions, session, process, how long it lives, …} with the state "present"
-- of a namespace of the present layout, "live" if sessions live, "free" or "retired"; nothing if there is
-- no namespace.

if not incarnation then
  return false
end
local partitions = call('HGET', namespace, 'partitions')
if known[1] == PRESENT then
  return {'present', PRESENT, partitions}
end

-- As version 1 does after a loss: all sessions are over, and the restart guard covers what their holders
-- believe. After a restart without loss that no client of version 1 has noticed yet, too.
local server = is_known_incarnation and incarnation or identity()
if not is_same(incarnation, server) then
  write_though_full()
  guard = math.max(guard, now + maxttl + step)
  incarnation, life = server, server
  call('HSET', namespace, 'incarnation', server, 'life', server, 'began', now_text, 'durable', '0',
    'guard', text(guard))
  call('HDEL', namespace, 'replid')
end

local keys = {}
local cursor = '0'
repeat
  local page = call('SCAN', cursor, 'MATCH', base .. '*', 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    keys[key] = sub(key, #base + 1)
  end
until cursor == '0'

-- How long a session lives, or 0. One whose renewal cannot be judged gets a whole TTL.
local function lives(key, id)
  local found = call('HMGET', key, 'life', 'ttl', 'renewed', 'incarnation')
  if found[1] ~= life then
    return 0
  end
  local ttl, renewed = tonumber(found[2]), tonumber(found[3])
  if found[4] ~= incarnation or renewed > now then
    stamp_session(id, ttl)
    renewed = now
  end
  return math.max(0, renewed + ttl + step - now)
end

local greatest = floor
local live = {}
for key, rest in pairs(keys) do
  local kind, name = string.match(rest, '^(%a+):(.*)$')
  if kind == 'session' then
    local left = lives(key, name)
    if left > 0 then
      live[#live + 1] = {name, call('HGET', key, 'process'), text(left)}
    end
  elseif kind == 'lock' then
    greatest = math.max(greatest, tonumber(call('HGET', key, 'number') or 0))
  end
end

if #live > 0 then
  table.sort(live, function(a, b) return a[1] < b[1] end)
  local answer = {'live', known[1], partitions}
  for i = 1, math.min(#live, tonumber(ARGV[5])) do
    for part = 1, 3 do
      answer[#answer + 1] = live[i][part]
    end
  end
  return answer
end
if ARGV[4] ~= '1' then
  return {'free', known[1], partitions}
end

write_though_full()
for key, rest in pairs(keys) do
  if rest ~= 'namespace' then
    call('DEL', key)
  end
end
call('HSET', namespace, 'protocol', PRESENT, 'life', now_text, 'floor', text(greatest),
  'guard', text(guard), 'durable', '0')
return {'retired', known[1], partitions}
