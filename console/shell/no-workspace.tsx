import { useLogOut } from '../areas/auth/queries.ts'
import { useUser } from '../areas/user/queries.ts'
import { AcceptInviteForm } from '../areas/workspaces/accept-invite-form.tsx'
import { CreateWorkspaceForm } from '../areas/workspaces/create-workspace-form.tsx'
import { SaveBar, SaveBarProvider } from '../lib/form/save-bar.tsx'
import { useTitle } from '../lib/use-title.ts'
import { paths } from '../paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Logo } from '../ui/logo.tsx'
import { ArrowLeft } from 'lucide-react'
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { TooltipProvider } from '../ui/tooltip.tsx'

/** Page for users without a workspace. `lost` is the workspace that was left in this tab. */
export function NoWorkspace({ lost }: { lost: string | undefined }) {
  const user = useUser()
  const logOut = useLogOut()
  useTitle('Choose a workspace')
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-12">
      <div className="flex flex-col gap-3">
        <Logo className="size-8" />
        <h1 className="text-xl font-semibold tracking-tight">You have no workspace</h1>
        <LostWorkspaceNotice name={lost} />
        <p className="text-muted">
          Create a workspace for your servers and applications, or join one with an invite.
        </p>
      </div>
      <Card title="Create a workspace">
        <CreateWorkspaceForm />
      </Card>
      <Card title="Join with an invite">
        <AcceptInviteForm />
      </Card>
      <div className="flex items-center justify-between gap-4 text-sm text-muted">
        <span className="truncate">Logged in as {user.email}</span>
        <span className="flex shrink-0">
          {user.instance_owner && (
            <ButtonLink variant="ghost" size="small" to={paths.instance}>
              Instance
            </ButtonLink>
          )}
          <ButtonLink variant="ghost" size="small" to={paths.settings}>
            Account settings
          </ButtonLink>
          <Button variant="ghost" size="small" onClick={() => logOut.mutate()}>
            Log out
          </Button>
        </span>
      </div>
    </main>
  )
}

/** Frame of the settings for users without a workspace. `lost` is the workspace that was left in this tab. */
export function AccountFrame({ lost }: { lost: string | undefined }) {
  const logOut = useLogOut()
  return (
    <TooltipProvider>
      <SaveBarProvider>
        <div className="flex h-12 items-center justify-between gap-2 border-b border-line px-3">
          <ButtonLink variant="ghost" to={paths.home}>
            <ArrowLeft className="size-4" aria-hidden />
            Choose a workspace
          </ButtonLink>
          <Button variant="ghost" onClick={() => logOut.mutate()}>
            Log out
          </Button>
        </div>
        <main className="mx-auto flex min-h-[calc(100dvh-3rem)] w-full max-w-[1280px] flex-col gap-6 px-6 py-6 max-sm:px-4">
          <LostWorkspaceNotice name={lost} />
          <Suspense>
            <Outlet />
          </Suspense>
          <SaveBar />
        </main>
      </SaveBarProvider>
    </TooltipProvider>
  )
}

function LostWorkspaceNotice({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <output className="block wrap-anywhere">
      You are no longer a member of <bdi className="font-medium">{name}</bdi>.
    </output>
  )
}
