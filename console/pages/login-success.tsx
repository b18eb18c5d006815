import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { CodeField } from '../areas/auth/code-field.tsx'
import { needsCode, useExchangeCode } from '../areas/auth/queries.ts'
import { logError } from '../lib/log.ts'
import { useForm } from '../lib/use-form.ts'
import { useOnce } from '../lib/use-once.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { PublicLayout } from './public-layout.tsx'
import { useEnter } from './use-enter.ts'

/** In our words: whatever else the address says, anybody could have put there. */
const refusals: Record<string, string> = { access_denied: 'You did not let GitHub log you in.' }

/** Where the code host sends people back to: with a token, with a code to exchange for one, or with a refusal. */
export function LoginSuccessPage() {
  const [params] = useSearchParams()
  const [asksCode, setAsksCode] = useState(false)
  const navigate = useNavigate()
  const enter = useEnter()
  const { mutateAsync: exchangeCode } = useExchangeCode()

  async function exchange(code: string, otp?: string) {
    const state = params.get('state')
    const query = { code, ...(state === null ? {} : { state }), ...(otp ? { otp } : {}) }
    const { token } = await exchangeCode(query)
    await enter(token.token)
  }

  async function start() {
    const [token, code, refusal] = [params.get('token'), params.get('code'), params.get('error')]
    if (token) return enter(token)
    if (refusal !== null) return turnBack(refusals[refusal] ?? 'GitHub did not log you in. Try again.')
    if (!code) return logError('The log-in gave no token.')
    try {
      return await exchange(code)
    } catch (error) {
      return needsCode(error) ? setAsksCode(true) : navigate(paths.login, { replace: true })
    }
  }

  async function turnBack(why: string) {
    toast.error(why)
    await navigate(paths.login, { replace: true })
  }

  useOnce(start)

  return asksCode ? <CodePage onCode={(otp) => exchange(params.get('code') ?? '', otp)} /> : null
}

function CodePage({ onCode }: { onCode: (otp: string) => Promise<void> }) {
  const { form, errors, pending } = useForm({ otp: 'required' }, ({ otp }) => onCode(otp))
  return (
    <PublicLayout title="Log in">
      <form {...form} className="flex flex-col gap-4">
        <CodeField error={errors['otp']} />
        <Button type="submit" variant="primary" wide pending={pending && 'Logging in…'}>
          Log in
        </Button>
      </form>
    </PublicLayout>
  )
}
