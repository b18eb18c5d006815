import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { BrandMark } from '../ui/brand/brand-logo.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Kbd } from '../ui/code.tsx'
import { fuzzyScore } from './fuzzy-score.ts'
import { usePaletteEntries } from './palette-entries.tsx'
import type { PaletteEntry } from './palette-entry.ts'
import { PaletteGroup, PaletteItem } from './palette-item.tsx'
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
          <Search />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Search() {
  const [typed, setTyped] = useState('')
  const { id: workspaceId } = useWorkspace()
  const [recent] = useState(() => readRecentEntries(workspaceId))
  const groups = findEntries(usePaletteEntries(), typed.trim(), recent)
  // cmdk would keep an earlier selection, so select the best match.
  const [selected, select] = useState('')
  const first = groups[0]?.entries[0]
  return (
    <Command
      label="Search or jump to"
      loop
      shouldFilter={false}
      value={selected === '' && first ? valueOf(first) : selected}
      onValueChange={select}
    >
      <Command.Input
        value={typed}
        onValueChange={(next) => {
          setTyped(next)
          select('')
        }}
        placeholder="Search or jump to…"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1">
        <Command.Empty className="px-4 py-8 text-center text-muted">No results</Command.Empty>
        {groups.map(({ heading, entries }) => (
          <PaletteGroup key={heading} heading={heading}>
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                onSelect={() => {
                  saveRecentEntry(workspaceId, entry.id)
                  entry.run()
                }}
              />
            ))}
          </PaletteGroup>
        ))}
      </Command.List>
    </Command>
  )
}

const valueOf = ({ label, id }: PaletteEntry) => `${label} ${id}`

function Entry({ entry, onSelect }: { entry: PaletteEntry; onSelect: () => void }) {
  const { label, note, icon: Icon, brands = [], shortcut } = entry
  return (
    <PaletteItem value={valueOf(entry)} onSelect={onSelect}>
      <BrandMark names={brands} fallback={<Icon aria-hidden />} className="size-4" />
      <span className="min-w-0 truncate">{label}</span>
      {note !== undefined && <span className="shrink-0 text-muted">{note}</span>}
      {shortcut !== undefined && (
        <span className="ml-auto flex gap-1 max-sm:hidden" aria-hidden>
          <Kbd>g</Kbd>
          <Kbd>{shortcut}</Kbd>
        </span>
      )}
    </PaletteItem>
  )
}

interface Group {
  heading: string
  entries: PaletteEntry[]
}

const mostPerGroup = 8

/**
 * Groups the matching entries, the best group first. Before the user types, these are recent entries, pages and
 * actions.
 */
function findEntries(all: readonly PaletteEntry[], typed: string, recent: readonly string[]): Group[] {
  const latest = recent.flatMap((id) => all.find((entry) => entry.id === id) ?? [])
  if (typed === '') {
    const others = all.filter((entry) => entry.isStatic && !latest.includes(entry))
    return [
      ...(latest.length > 0 ? [{ heading: 'Recent', entries: latest }] : []),
      ...byGroup(others).map(([heading, entries]) => ({ heading, entries })),
    ]
  }
  const scored = all.flatMap((entry) => {
    const score = fuzzyScore(entry.label, typed)
    return score === 0 ? [] : [{ ...entry, score: score + (latest.includes(entry) ? 0.5 : 0) }]
  })
  return byGroup(scored)
    .map(([heading, found]) => {
      const entries = found.toSorted((a, b) => b.score - a.score).slice(0, mostPerGroup)
      return { heading, entries, best: entries[0]?.score ?? 0 }
    })
    .toSorted((a, b) => b.best - a.best)
}

function byGroup<Entry extends PaletteEntry>(entries: readonly Entry[]): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry])
  return [...groups]
}

const key = 'recent-palette'
const most = 8

/**
 * Reads the entries that were chosen last, newest first. Their names exist in one workspace only, so each has its own
 * list.
 */
function readRecentEntries(workspaceId: string): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(`${key}:${workspaceId}`) ?? '[]')
    return Array.isArray(saved) ? saved.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function saveRecentEntry(workspaceId: string, id: string): void {
  const before = readRecentEntries(workspaceId).filter((entry) => entry !== id)
  localStorage.setItem(`${key}:${workspaceId}`, JSON.stringify([id, ...before].slice(0, most)))
}
