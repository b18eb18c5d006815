import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { onSessionEnd, readToken, useToken } from '../lib/http/session.ts'
import { rememberReturnUrl } from '../lib/return-url.ts'
import { paths } from '../paths.ts'

/** Redirects to the login page without a session. When the session changes, everything is remounted. */
export function Guard({ children }: { children: ReactNode }) {
  const token = useToken()
  const { pathname, search } = useLocation()
  const [arrivedAt] = useState(pathname + search)
  useEffect(() => {
    // A user who logs out should not return to this page, so remember it only on arrival.
    if (readToken() === null) rememberReturnUrl(arrivedAt)
  }, [arrivedAt])
  if (token === null) return <Navigate to={paths.login} replace />
  return <Fragment key={token}>{children}</Fragment>
}

/** Redirects to the login page when a request finds that the session has expired. */
export function SessionEnd() {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionEnd(() => {
        rememberReturnUrl(window.location.pathname + window.location.search)
        void navigate(paths.login, { replace: true })
      }),
    [navigate],
  )
  return null
}
