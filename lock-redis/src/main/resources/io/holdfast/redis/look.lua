-- Tells how requests stand, and which before them do not count any more or are doubtful.
--
-- ARGV[4]  how many before a request are judged, from the head on
-- ARGV[5…] name, request, name, request, …
-- Returns for each {"holding", number, since}, {"absent"}, or {"waiting", how many are ahead,
-- number, request of the head, request, liveness, request, liveness, …}.

require_incarnation()
require_change()
local most = tonumber(ARGV[4])

local function obstacles(answer, lock, ahead)
  local judged = 0
  for request in string.gmatch(ahead, '!([^,]+),') do
    local state = liveness(session_of(request), judged == 0 and lock.revoked or 0)
    if state ~= 'LIVE' then
      table.insert(answer, request)
      table.insert(answer, state)
    end
    judged = judged + 1
    if judged == most then
      break
    end
  end
  return answer
end

local function look(name, request)
  local lock = read(name)
  if lock.revoked > now then
    -- The clock was set back since: else the revocation would be due an hour late, not a TTL.
    lock.revoked = now
    redis.call('HSET', lock_key(name), 'revoked', text(now))
  end
  local at = position(lock.queue, request)
  if not at then
    return {'absent'}
  end
  if at == 1 then
    return {'holding', text(lock.number), text(lock.since)}
  end
  local ahead = string.sub(lock.queue, 1, at - 1)
  local _, count = string.gsub(ahead, ';', ';')
  return obstacles(
    {'waiting', text(count), text(lock.number), head(lock.queue)}, lock, ahead)
end

local answers = {}
for i = 5, #ARGV, 2 do
  table.insert(answers, look(ARGV[i], ARGV[i + 1]))
end
return answers
