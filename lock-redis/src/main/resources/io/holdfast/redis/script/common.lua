-- What the scripts share: Script.java puts this file between beginning.lua and the script.

-- Keys of sessions expire only to clean up, long after any client could have ended the session.
local EXPIRY_MILLIS = 2 * 24 * 60 * 60 * 1000

local function info(section)
  return redis.call('INFO', section)
end

local function field(about, name)
  return string.match(about, '[\r\n]' .. name .. ':([^\r\n]*)') or ''
end

-- When its memory is full, Redis refuses a script at its first write if that write may need memory.
-- After a first write that needs none, it allows all further writes. This HDEL is such a write: it
-- changes nothing. Scripts that serve holders and waiters or that free memory call this function
-- before their first write, so they work on a full server. Scripts that need more memory (opening a
-- session, a grab) do not call it, so they are refused.
local function write_though_full()
  -- The key must exist: while its slot moves, a key that does not exist belongs to another node.
  redis.call('HDEL', namespace, 'none')
end

-- An incarnation is one process of the server; if the server was a replica, its promotion begins a
-- new one. The replication id from before the promotion (master_replid2) tells a promoted server
-- apart. The server forgets that id after a while.
local function process_of_server()
  return field(info('server'), 'run_id')
end

local function identity()
  local former = field(replication, 'master_replid2')
  local process = process_of_server()
  return string.find(former, '[1-9a-f]') and process .. '/' .. former or process
end

local function is_same(recorded, found)
  return recorded == found or string.sub(recorded, 1, string.len(found) + 1) == found .. '/'
end

-- Whether a plain restart loses nothing that was answered.
local function is_durable()
  return may_be_durable() and ARGV[1] == process_of_server()
end

-- Saves later scripts the closer look. Where it cannot be written, they take that look.
local function remember_replid()
  if replid and is_master and replid ~= known[10] then
    redis.pcall('HSET', namespace, 'replid', replid)
  end
end

-- Finds out the present incarnation. Every script does this by itself, because a proxy may have led
-- the connection to another server unnoticed by the client. If the incarnation is not the one on
-- record, grants may be lost whose holders still believe in them. Then all earlier sessions are over,
-- and the restart guard delays every grant until their leases have run out. The exception is a plain
-- restart of a server that was durable during the whole of the earlier incarnation.
local function identify()
  if is_known_incarnation then
    return incarnation
  end
  local found = identity()
  if not incarnation then
    return found
  end
  local durable = known[8] == '1'
  local same = is_same(incarnation, found)
  if same and durable and not is_durable() then
    write_though_full()
    redis.call('HSET', namespace, 'durable', '0')
  end
  if same then
    remember_replid()
    return incarnation
  end
  local still_durable = is_durable()
  local loses_nothing = durable and still_durable and not string.find(found, '/', 1, true)
  incarnation = found
  began = now
  write_though_full()
  redis.call('HSET', namespace, 'incarnation', found, 'began', text(now),
    'durable', still_durable and '1' or '0')
  if not loses_nothing then
    session_incarnation = found
    guard = math.max(guard, now + maxttl + step)
    redis.call('HSET', namespace, 'life', session_incarnation, 'guard', text(guard))
  end
  remember_replid()
  return incarnation
end

-- How much longer the restart guard delays every grant. A guard that ends later than one that begins
-- now was written before the clock was set back, so it is shortened.
local function guard_left()
  local longest = maxttl + step
  if guard > now + longest then
    guard = now + longest
    redis.pcall('HSET', namespace, 'guard', text(guard))
  end
  return math.max(0, guard - now)
end

-- WAIT waits for the last write of its connection, so the script must make one.
local function require_change()
  if ARGV[3] == '1' and incarnation then
    redis.call('HSET', namespace, 'asked', text(now))
  end
end

-- Gives a session a whole TTL from now on.
local function stamp_session(session, ttl)
  local key = session_key(session)
  redis.call('HSET', key, 'renewed', text(now), 'incarnation', incarnation)
  redis.call('PEXPIRE', key, text(math.ceil(ttl / 1000) + EXPIRY_MILLIS))
end

-- Judges a session and its request, which was revoked at the time "revoked" (0 if it was not).
-- For a live session it also returns how long the judgement stands if the session is not renewed.
local function liveness(session, revoked)
  local found = redis.call('HMGET', session_key(session), 'life', 'ttl', 'renewed', 'incarnation')
  if not session_incarnation or found[1] ~= session_incarnation then
    return 'ENDED'
  end
  local lease = tonumber(found[2]) + step
  local renewed = tonumber(found[3])
  if revoked ~= 0 and revoked + lease <= now then
    return 'REVOCATION_DUE'
  end
  if found[4] ~= incarnation or renewed > now or renewed + lease <= now then
    return 'LAPSED'
  end
  local first = revoked ~= 0 and math.min(revoked, renewed) or renewed
  return 'LIVE', text(first + lease - now)
end

-- Reads a record. A revocation in the future is rewritten to the present time: the clock was set back,
-- and without this the revocation would be due later than a TTL from now. A revocation from an earlier
-- incarnation was written by another clock, so it counts from the beginning of this incarnation, unless
-- that is in the future because the clock was set back.
local function read(name)
  local found = redis.call('HMGET', lock_key(name), 'number', 'since', 'revoked', 'queue')
  local revoked = tonumber(found[3] or 0)
  if revoked > now then
    revoked = now
    redis.pcall('HSET', lock_key(name), 'revoked', text(now))
  elseif revoked ~= 0 and began <= now then
    revoked = math.max(revoked, began)
  end
  return {
    name = name,
    number = tonumber(found[1] or 0),
    since = tonumber(found[2] or 0),
    revoked = revoked,
    queue = found[4] or '',
    exists = found[1] and true,
  }
end

-- The offset of a request in the queue text: 1 if it holds, nil if it is not in the queue.
local function position(queue, request)
  return (string.find(queue, mark(request), 1, true))
end

local function head(queue)
  return string.match(queue, '^!([^,]+),')
end

local function without_head(queue)
  return string.sub(queue, string.find(queue, ';', 1, true) + 1)
end

-- Removes the head and sends a hint to the next request. A hint that fails must not fail the change.
local function remove_head(lock)
  write_queue_with_new_head(lock, without_head(lock.queue))
  if lock.queue ~= '' then
    local session = session_of(head(lock.queue))
    local channel = redis.call('HGET', session_key(session), 'channel')
    if channel then
      redis.pcall('PUBLISH', channel, session .. lock.name)
    end
  end
end

local function record(lock)
  local first = head(lock.queue)
  local state, due = '', ''
  if first then
    state, due = liveness(session_of(first), lock.revoked)
  end
  return {lock.name, text(lock.number), text(lock.since), text(lock.revoked), lock.queue, state,
    due or ''}
end

-- How many requests wait.
local function waiting(queue)
  local _, count = string.gsub(queue, ';', ';')
  return math.max(0, count - 1)
end

local function holding(word, lock)
  return {word, text(lock.number), text(lock.since), text(waiting(lock.queue))}
end

-- The answer for a request that is in the queue already; nil if it is not there.
local function standing(lock, request)
  local at = position(lock.queue, request)
  if at == 1 then
    return holding('granted', lock)
  end
  return at and {'queued'}
end

