-- The short way of a grab: nothing has changed at the server, and nobody holds the lock or waits for it.
-- See grab.lua for the arguments and the answer.

local function grab_free()
  if not is_known_incarnation or ARGV[3] == '1' or ARGV[9] == '1' and guard > now then
    return nil
  end
  if not is_alive(session_of(ARGV[5])) then
    return nil
  end
  local number, queue = number_and_queue(ARGV[4])
  if queue and queue ~= '' then
    return nil
  end
  local lock = {name = ARGV[4], number = tonumber(number or 0)}
  write_queue_with_new_head(lock, ARGV[6])
  return {'granted', text(lock.number), text(now), '0'}
end

local granted = grab_free()
if granted then
  return granted
end

