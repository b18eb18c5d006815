import { Command } from 'cmdk'
import { Blocks, Building2, CreditCard, Settings, ShieldCheck } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { paths } from '../paths.ts'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Kbd } from '../ui/code.tsx'
import { useDestinations } from './navigation.ts'
import {
  PaletteActions,
  PaletteGroup,
  PaletteItem,
  PaletteResults,
  PaletteWorkspaces,
  useShellNavigate,
} from './palette-entries.tsx'
import { useShell } from './shell-state.tsx'

export function Palette() {
  const { overlay, show } = useShell()
  const focusReturn = useFocusReturn()
  return (
    <Dialog.Root open={overlay === 'palette'} onOpenChange={() => show(undefined)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-rise overflow-hidden rounded-lg border border-line bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <Entries />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Entries() {
  const [typed, setTyped] = useState('')
  const go = useShellNavigate()
  const { destinations, locked } = useDestinations()
  return (
    <Command label="Search or jump to" loop filter={scoreByWords}>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Search or jump to…"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1">
        <Command.Empty className="px-4 py-8 text-center text-muted">No results</Command.Empty>
        <PaletteGroup heading="Pages">
          {destinations.map(({ label, to, icon: Icon, key }) => (
            <PaletteItem key={to} onSelect={() => go(to)}>
              <Icon aria-hidden /> {label}
              <span className="ml-auto flex gap-1 max-sm:hidden" aria-hidden>
                <Kbd>g</Kbd>
                <Kbd>{key}</Kbd>
              </span>
            </PaletteItem>
          ))}
          {!locked && <FurtherPages />}
        </PaletteGroup>
        {!locked && <PaletteResults typed={typed.trim()} />}
        <PaletteWorkspaces />
        <PaletteActions />
      </Command.List>
    </Command>
  )
}

function FurtherPages() {
  const go = useShellNavigate()
  const { instance_owner: isOwner } = useUser()
  const { billing } = useWorkspace()
  return (
    <>
      <PaletteItem onSelect={() => go(paths.workspace)}>
        <Building2 aria-hidden /> Workspace
      </PaletteItem>
      {billing && (
        <PaletteItem onSelect={() => go(paths.billing)}>
          <CreditCard aria-hidden /> Billing
        </PaletteItem>
      )}
      <PaletteItem onSelect={() => go(paths.integrations)}>
        <Blocks aria-hidden /> Integrations
      </PaletteItem>
      <PaletteItem onSelect={() => go(paths.settings)}>
        <Settings aria-hidden /> Settings
      </PaletteItem>
      {isOwner && (
        <PaletteItem onSelect={() => go(paths.instance)}>
          <ShieldCheck aria-hidden /> Instance
        </PaletteItem>
      )}
    </>
  )
}

const scoreByWords = (name: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))
    ? 1
    : 0
