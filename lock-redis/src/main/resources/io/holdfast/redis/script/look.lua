-- Tells how requests stand, and which requests ahead of them are not live.
--
-- ARGV[4]  the session that asks
-- ARGV[5]  how many requests ahead are judged, counted from the head
-- ARGV[6…] name, request, name, request, …
-- Returns for each {"holding", number, since, how many wait}, {"absent"}, or {"waiting", how many
-- are ahead, number, request of the head, how long the judgement of the request directly ahead stands
-- or "", request, liveness, request, liveness, …}.

identify()
if ARGV[3] == '1' then
  write_though_full()
end
require_change()
local judged_max = tonumber(ARGV[5])
-- A session that is over holds nothing, even if its request has become the head.
local alive = is_alive(ARGV[4])

-- Judges the first requests and always the last, because the answer tells how long its judgement stands.
local function obstacles(answer, lock, ahead)
  local judged = 0
  local last = string.match(ahead, '!([^!,]+),[^!]*$')
  for request in string.gmatch(ahead, '!([^,]+),') do
    if judged >= judged_max then
      request = last
    end
    local state, due = liveness(session_of(request), judged == 0 and lock.revoked or 0)
    if request == last then
      answer[5] = due or ''
    end
    if state ~= 'LIVE' then
      table.insert(answer, request)
      table.insert(answer, state)
    end
    judged = judged + 1
    if judged > judged_max then
      break
    end
  end
  return answer
end

local function look(name, request)
  local lock = read(name)
  local at = position(lock.queue, request)
  if not at or not alive then
    return {'absent'}
  end
  if at == 1 then
    return holding('holding', lock)
  end
  local ahead = string.sub(lock.queue, 1, at - 1)
  local _, count = string.gsub(ahead, ';', ';')
  return obstacles(
    {'waiting', text(count), text(lock.number), head(lock.queue), ''}, lock, ahead)
end

local answers = {}
for i = 6, #ARGV, 2 do
  table.insert(answers, look(ARGV[i], ARGV[i + 1]))
end
return answers
