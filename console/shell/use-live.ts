import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followLive } from '../lib/http/live.ts'
import { onOtherTab } from '../lib/tabs.ts'

/** Short interruptions are not shown. */
const patience = 1500

/** Follows live updates; false after the stream has been disconnected for a moment. */
export function useLive(): boolean {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)
  const [told, setTold] = useState(false)

  useEffect(() => followLive(client, (state) => setLost(state === 'lost')), [client])
  useEffect(() => onOtherTab(() => void client.resetQueries()), [client])
  useEffect(() => {
    const timer = setTimeout(() => setTold(lost), lost ? patience : 0)
    return () => clearTimeout(timer)
  }, [lost])

  return !told
}
