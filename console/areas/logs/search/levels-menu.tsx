import { ListFilter } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { DropdownMenu, MenuCheck, MenuItem, MenuSeparator } from '../../../ui/menu/dropdown-menu.tsx'
import { type Level, levelColors, levels } from './level.ts'
import type { LogFilter } from './use-log-filter.ts'

const words: Record<Level | 'none', string> = {
  error: 'Errors',
  warn: 'Warnings',
  info: 'Info',
  debug: 'Debug',
  trace: 'Trace',
  none: 'No level',
}
const choices = [...levels, 'none'] as const

export function LevelsMenu({ criteria, setLevels }: Pick<LogFilter, 'criteria' | 'setLevels'>) {
  const chosen = choices.filter((level) => criteria.levels?.has(level) ?? true)
  const label = chosen.length === choices.length ? 'Levels' : chosen.map((level) => words[level]).join(', ')

  function change(level: Level | 'none', on: boolean) {
    const after = choices.filter((choice) => (choice === level ? on : chosen.includes(choice)))
    // Choosing all levels removes the filter, and so does choosing none, because an empty filter would hide everything.
    setLevels(after.length === choices.length ? [] : after)
  }

  return (
    <DropdownMenu
      label="Levels"
      trigger={
        <Button
          size="small"
          variant={criteria.levels ? 'secondary' : 'ghost'}
          aria-label={`Levels: ${criteria.levels ? label : 'all'}`}
        >
          <ListFilter aria-hidden />
          <span className="max-w-40 truncate @max-2xl/log:sr-only">{label}</span>
        </Button>
      }
    >
      {choices.map((level) => (
        <MenuCheck key={level} checked={chosen.includes(level)} onChange={(on) => change(level, on)}>
          <span
            aria-hidden
            className={classNames('h-4 w-1 rounded-full', level !== 'none' && levelColors[level])}
          />
          {words[level]}
        </MenuCheck>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => setLevels(['error', 'warn'])}>Errors and warnings only</MenuItem>
      <MenuItem onSelect={() => setLevels([])}>All levels</MenuItem>
    </DropdownMenu>
  )
}
