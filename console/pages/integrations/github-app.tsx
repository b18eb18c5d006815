import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { useFinishApp } from '../../areas/integrations/queries.ts'
import { useOnce } from '../../lib/http/use-once.ts'
import { paths } from '../../paths.ts'

/** Where GitHub sends whoever set up the App, with a code for its keys. */
export function GitHubAppPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { mutateAsync: finish } = useFinishApp()

  useOnce(async () => {
    const [code, state] = [params.get('code'), params.get('state')]
    if (code !== null && state !== null)
      await finish({ code, state })
        .then(() => toast.success('The GitHub App is set up. Connect an account now.'))
        // Why not is told by the mutation.
        .catch(() => undefined)
    await navigate(paths.integrations, { replace: true })
  })
  return <output>Redirecting...</output>
}
