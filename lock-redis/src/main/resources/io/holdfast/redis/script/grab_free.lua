-- The short way of a grab: nothing has changed at the server, and no request holds the lock or waits.
-- See grab.lua for the arguments and the answer.

if is_known_incarnation and known[5] < now_text and (known[4] <= now_text or ARGV[9] ~= '1')
  and call('HGET', base .. 'session:' .. sub(ARGV[5], 1, SESSION_DIGITS), 'life') == known[3]
  and call('SET', base .. 'lock:' .. ARGV[4],
    '0' .. NO_TIME .. now_text .. now_text .. known[3] .. ARGV[6], 'NX') then
  call('ZADD', base .. 'held', 0, ARGV[4])
  return {'granted', now_text, now_text, '0'}
end

