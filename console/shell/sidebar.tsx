import { Dialog } from 'radix-ui'
import { classNames } from '../ui/class-names.ts'
import { useFocusReturn } from '../ui/focus-return.ts'
import { useShell } from './shell-state.tsx'
import { SidebarLinks } from './sidebar-links.tsx'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** 16rem or icon width on desktops, a slide-in sheet on phones. */
export function Sidebar() {
  const { phone, sidebarOpen, closeSheet } = useShell()
  const focusReturn = useFocusReturn()
  if (!phone)
    return (
      <aside
        data-state={sidebarOpen ? 'expanded' : 'collapsed'}
        className={classNames(
          'sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-subtle transition-[width] duration-150',
          sidebarOpen ? 'w-64' : 'w-12',
        )}
      >
        <Contents narrow={!sidebarOpen} />
      </aside>
    )
  return (
    <Dialog.Root open={sidebarOpen} onOpenChange={(open) => !open && closeSheet()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-overlay" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] animate-slide flex-col border-r border-line bg-subtle shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Contents narrow={false} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Contents({ narrow }: { narrow: boolean }) {
  return (
    <>
      <div className="p-2">
        <WorkspaceSwitcher narrow={narrow} />
      </div>
      <SidebarLinks narrow={narrow} />
      <div className="border-t border-line p-2">
        <UserMenu narrow={narrow} />
      </div>
    </>
  )
}
