import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { lazyPage } from '../lib/lazy-page.tsx'
import { firstToast } from '../lib/notify.ts'
import { paths } from '../paths.ts'

const Toaster = lazyPage(async () => (await import('../ui/toaster.tsx')).Toaster)

/**
 * Loads the toaster. The login page, which must stay small, waits for its first toast; other pages load it immediately.
 */
export function LazyToaster() {
  const { pathname } = useLocation()
  const [isNeeded, setNeeded] = useState(false)
  if (!isNeeded && pathname !== paths.login && pathname !== '/') setNeeded(true)
  useEffect(() => void firstToast.then(() => setNeeded(true)), [])
  return isNeeded && <Toaster />
}
