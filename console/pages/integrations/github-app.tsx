import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { useFinishGitHubApp } from '../../areas/integrations/queries.ts'
import { useEffectOnce } from '../../lib/http/use-effect-once.ts'
import { paths } from '../../paths.ts'

/** GitHub redirects here after the App was created, with a code for its credentials. */
export function GitHubAppPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { mutateAsync: finish } = useFinishGitHubApp()

  useEffectOnce(async () => {
    const [code, state] = [params.get('code'), params.get('state')]
    if (code !== null && state !== null)
      await finish({ code, state })
        .then(() => toast.success('GitHub App created. Connect an account.'))
        // The mutation shows errors.
        .catch(() => undefined)
    await navigate(paths.integrations, { replace: true })
  })
  return <output>Redirecting...</output>
}
