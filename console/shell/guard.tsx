import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { readToken, useToken } from '../lib/http/session.ts'
import { rememberWanted } from '../lib/wanted.ts'
import { paths } from '../paths.ts'

/** Lets only those in who have a token, and starts afresh when it becomes somebody else's. */
export function Guard({ children }: { children: ReactNode }) {
  const token = useToken()
  const { pathname, search } = useLocation()
  const [arrivedAt] = useState(pathname + search)
  useEffect(() => {
    // Only on arrival: who logs out here does not want to come back to this page.
    if (readToken() === null) rememberWanted(arrivedAt)
  }, [arrivedAt])
  if (token === null) return <Navigate to={paths.login} replace />
  return <Fragment key={token}>{children}</Fragment>
}
