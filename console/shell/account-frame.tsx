import { ArrowLeft } from 'lucide-react'
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useLogOut } from '../areas/auth/queries.ts'
import { paths } from '../paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { LostWorkspaceNotice } from './lost-workspace-notice.tsx'

/** Layout of the settings for users without a workspace. `lost` is the workspace that was left in this tab. */
export function AccountFrame({ lost }: { lost: string | undefined }) {
  const logOut = useLogOut()
  return (
    <TooltipProvider>
      <div className="flex h-12 items-center justify-between gap-2 border-b border-line px-3">
        <ButtonLink variant="ghost" to={paths.home}>
          <ArrowLeft className="size-4" aria-hidden />
          Choose a workspace
        </ButtonLink>
        <Button variant="ghost" onClick={() => logOut.mutate()}>
          Log out
        </Button>
      </div>
      <main className="mx-auto flex w-full max-w-[1280px] flex-col gap-6 px-6 py-6 max-sm:px-4">
        <LostWorkspaceNotice name={lost} />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    </TooltipProvider>
  )
}
