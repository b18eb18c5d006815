import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { CodeField } from '../../areas/auth/code-field.tsx'
import { needsCode, useExchangeCode, useFinishLogin } from '../../areas/auth/queries.ts'
import { logError } from '../../lib/log.ts'
import { readToken } from '../../lib/http/session.ts'
import { consumeLoginMark } from '../../areas/auth/github-button.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { useEffectOnce } from '../../lib/use-effect-once.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { PublicLayout } from '../../ui/brand/public-layout.tsx'
import { useStartSession } from '../use-start-session.ts'

/** Messages by error code. The query string is untrusted, so its own text is never shown. */
const refusals: Record<string, string> = { access_denied: 'GitHub login canceled.' }

/**
 * Page that GitHub redirects to after login. The server exchanges the code of GitHub for a one-time code, the `token`
 * of this URL, which opens a session only in the browser that started the login. Any page can send the browser through
 * GitHub and back, so an existing session is replaced only if this tab started the login.
 */
export function LoginSuccessPage() {
  const [params] = useSearchParams()
  const [asksCode, setAsksCode] = useState(false)
  const [issued, setIssued] = useState('')
  const navigate = useNavigate()
  const enter = useStartSession()
  const { mutateAsync: finishLogin } = useFinishLogin()
  const { mutateAsync: exchangeCode } = useExchangeCode()

  async function exchange(code: string, otp?: string) {
    const { token } = await exchangeCode({ code, ...(otp ? { otp } : {}) })
    await enter(token.token)
  }

  async function start() {
    const isStartedHere = consumeLoginMark()
    const [token, code, refusal] = [params.get('token'), params.get('code'), params.get('error')]
    if (!token && refusal !== null) return turnBack(refusals[refusal] ?? 'GitHub login failed. Try again.')
    if (!token && !code) return logError('The login response has no token.')
    if (!isStartedHere && readToken()) return navigate(paths.home, { replace: true })
    try {
      const issued = token ?? (await finishLogin({ code: code ?? '', state: params.get('state') ?? '' })).code
      if (!token) await navigate(`${paths.loginSuccess}?token=${issued}`, { replace: true })
      setIssued(issued)
      return await exchange(issued)
    } catch (error) {
      // A link from elsewhere must not affect the current session.
      return needsCode(error)
        ? setAsksCode(true)
        : navigate(readToken() ? paths.home : paths.login, { replace: true })
    }
  }

  async function turnBack(reason: string) {
    toast.error(reason)
    await navigate(paths.login, { replace: true })
  }

  useEffectOnce(start)

  return asksCode ? <CodePage onCode={(otp) => exchange(issued, otp)} /> : null
}

function CodePage({ onCode }: { onCode: (otp: string) => Promise<void> }) {
  const { form, errors, pending } = useForm({ otp: 'required' }, ({ otp }) => onCode(otp))
  return (
    <PublicLayout title="Log in">
      <form {...form} className="flex flex-col gap-4">
        <CodeField error={errors['otp']} />
        <Button type="submit" variant="primary" size="large" wide pending={pending && 'Logging in…'}>
          Log in
        </Button>
      </form>
    </PublicLayout>
  )
}
