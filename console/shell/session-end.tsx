import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onSessionEnd } from '../lib/http/session.ts'
import { rememberReturnUrl } from '../lib/return-url.ts'
import { paths } from '../paths.ts'

/** Redirects to the login page when a request finds the session expired. */
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
