import { useNavigate, useParams, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { providerName } from '../../areas/integrations/integration-labels.ts'
import { useCreateIntegration, useFinishGitHubApp } from '../../areas/integrations/queries.ts'
import { useEffectOnce } from '../../lib/use-effect-once.ts'
import { paths } from '../../paths.ts'
import { NotFoundPage } from '../page-fallback.tsx'

/** Page that the code host redirects to after the App was installed. */
export function IntegrationCallbackPage() {
  const { provider = '' } = useParams()
  return provider === 'github' ? <Callback provider={provider} /> : <NotFoundPage />
}

function Callback({ provider }: { provider: string }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { mutateAsync: create } = useCreateIntegration()

  async function start() {
    if (params.get('setup_action') === 'request') {
      toast.info('An owner of the organization must approve the GitHub App. Connect again after approval.')
      return navigate(paths.integrations, { replace: true })
    }
    if (params.get('error') !== null) {
      toast.error(`Could not connect ${providerName(provider)}: access was denied.`)
      return navigate(paths.integrations, { replace: true })
    }
    try {
      await create(cameWith(params))
      toast.success(`${providerName(provider)} added successfully.`, {
        action: { label: 'New application', onClick: () => void navigate(paths.createApplication) },
      })
      return navigate(paths.home, { replace: true })
    } catch {
      // The mutation shows its error, so the rejection needs no handler.
      return navigate(paths.integrations, { replace: true })
    }
  }

  useEffectOnce(start)
  return <output>Redirecting...</output>
}

function cameWith(params: URLSearchParams) {
  const [id, code, state] = [params.get('installation_id'), params.get('code'), params.get('state')]
  return {
    provider: 'github',
    ...(id !== null && { installation_id: id }),
    ...(code !== null && { code }),
    ...(state !== null && { state }),
  }
}

/** Page that GitHub redirects to after the App was created, with a code for its credentials. */
export function GitHubAppPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { mutateAsync: finish } = useFinishGitHubApp()

  useEffectOnce(async () => {
    const [code, state] = [params.get('code'), params.get('state')]
    if (code !== null && state !== null)
      await finish({ code, state })
        .then(() => toast.success('GitHub App created. Connect an account.'))
        // The mutation shows its error, so the rejection needs no handler.
        .catch(() => undefined)
    await navigate(paths.integrations, { replace: true })
  })
  return <output>Redirecting...</output>
}
