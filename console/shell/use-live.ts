import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followLive } from '../lib/http/live.ts'
import { onOtherTab } from '../lib/tabs.ts'

/** A blink is nothing to tell anybody about. */
const patience = 1500

/** Keeps what is shown true; false once the stream has been lost for a moment. */
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
