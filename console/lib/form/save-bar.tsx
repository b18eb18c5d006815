import {
  createContext,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { toast } from 'sonner'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LeaveGuard } from '../leave-guard.tsx'
import { useDraft } from './use-draft.tsx'
import { useForm } from './use-form.ts'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Texts = Readonly<Record<string, string>>
/** Next step that makes the change effective, such as “Redeploy to apply.” */
type NextStep = string | undefined

interface ChangedForm {
  changes: number
  applies: string | undefined
  restored: boolean
  /** Whether the changes are kept when the user leaves the page. */
  kept: boolean
  element: RefObject<HTMLFormElement | null>
  latest: RefObject<{
    send: (form: HTMLFormElement, focuses: boolean) => Promise<{ result: NextStep } | undefined>
  }>
}

interface SaveBarActions {
  report: (id: string, form: ChangedForm | undefined) => void
  saveAll: () => Promise<void>
}

const Actions = createContext<SaveBarActions | undefined>(undefined)
const State = createContext({ forms: new Map<string, ChangedForm>(), pending: false })

/** Collects the changed forms of a page. The `SaveBar` saves and discards them together. */
export function SaveBarProvider({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState(() => new Map<string, ChangedForm>())
  const [pending, setPending] = useState(false)
  const latest = useRef(forms)
  useLayoutEffect(() => {
    latest.current = forms
  }, [forms])

  const report = useCallback((id: string, form: ChangedForm | undefined) => {
    setForms((before) => {
      if (!form && !before.has(id)) return before
      const after = new Map(before)
      if (form) after.set(id, form)
      else after.delete(id)
      return after
    })
  }, [])

  const busy = useRef(false)
  const saveAll = useCallback(async () => {
    if (busy.current || latest.current.size === 0) return
    busy.current = true
    setPending(true)
    try {
      const next = await saveInOrder([...latest.current.values()])
      if (next) toast.success(next.length === 0 ? 'Changes saved' : ['Changes saved.', ...next].join(' '))
    } finally {
      busy.current = false
      setPending(false)
    }
  }, [])

  const actions = useMemo(() => ({ report, saveAll }), [report, saveAll])
  const state = useMemo(() => ({ forms, pending }), [forms, pending])
  return (
    <Actions value={actions}>
      <State value={state}>
        <LeaveGuard unsaved={countChanges([...forms.values()].filter(({ kept }) => !kept))}>
          {children}
        </LeaveGuard>
      </State>
    </Actions>
  )
}

/** Saves the forms from top to bottom. Resolves with the next steps, or undefined if a form has errors. */
async function saveInOrder(forms: ChangedForm[]): Promise<string[] | undefined> {
  const next = new Set<string>()
  let failed = false
  for (const { element, latest } of forms.toSorted(byPosition)) {
    if (!element.current) continue
    const sent = await latest.current.send(element.current, !failed)
    if (!sent) failed = true
    else if (sent.result !== undefined) next.add(sent.result)
  }
  return failed ? undefined : [...next]
}

function byPosition({ element: { current: a } }: ChangedForm, { element: { current: b } }: ChangedForm) {
  return a && b && a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1
}

const countChanges = (forms: readonly ChangedForm[]) =>
  forms.reduce((count, { changes }) => count + changes, 0)

interface SavedFormOptions<F extends Fields, Saved extends Texts> {
  fields: F
  saved: Saved
  save: (values: Record<keyof F & string, string>, typed: Saved) => Promise<NextStep>
  /** Text that tells when the changes apply, shown before they are saved. */
  applies?: string | undefined
  /** Key under which the changes are kept when the user leaves the page. */
  keptAs?: string
}

/** Wires a form without buttons of its own. The `SaveBar` of the page saves and discards it. */
export function useSavedForm<const F extends Fields, const Saved extends Texts>(
  options: SavedFormOptions<F, Saved>,
) {
  const { fields, saved, save, applies, keptAs } = options
  const actions = use(Actions)
  if (!actions) throw new Error('useSavedForm requires SaveBarProvider.')
  const { report, saveAll } = actions
  const id = useId()
  const element = useRef<HTMLFormElement>(null)
  const { typed, changes, restored, round, put, onInput, onReset, dropSent } = useDraft(saved, keptAs)
  const { form, errors, send } = useForm(fields, async (values) => {
    const next = await save(values, typed)
    dropSent(typed)
    return next
  })
  const latest = useRef({ send })
  useLayoutEffect(() => {
    latest.current = { send }
    if (element.current) showTexts(element.current, typed)
  })
  const kept = keptAs !== undefined
  useLayoutEffect(() => {
    const changed = { changes, applies, restored, kept, element, latest }
    report(id, changes > 0 ? changed : undefined)
  }, [report, id, changes, applies, restored, kept])
  useLayoutEffect(() => () => report(id, undefined), [report, id])

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    void saveAll()
  }
  return {
    /** Key that the form needs, because a reset remounts it. */
    round,
    form: { ...form, ref: element, onSubmit, onInput, onReset },
    typed,
    changed: changes > 0,
    errors,
    onChoose: put,
    onInput,
  }
}

/** Updates uncontrolled fields, which React does not. Fields without edits then show changes of other users. */
function showTexts(form: HTMLFormElement, texts: Texts) {
  for (const control of form.elements) {
    const isText = control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement
    const text = isText && !control.matches('[type=checkbox], [type=radio]') && texts[control.name]
    if (isText && typeof text === 'string' && control.value !== text) control.value = text
  }
}

/** Bar at the bottom of the screen while the page has unsaved changes. */
export function SaveBar() {
  const { forms, pending } = use(State)
  const saveAll = use(Actions)?.saveAll
  const bar = useRef<HTMLDivElement>(null)
  const changed = [...forms.values()]
  const shown = changed.length > 0

  useEffect(() => {
    if (!shown || !saveAll) return undefined
    function onKey(event: KeyboardEvent) {
      const isSave = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 's'
      if (!isSave || document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      void saveAll?.()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [shown, saveAll])

  /** Whether the bar had the focus, which must not move to the start of the page when the button disappears. */
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    if (!shown && hasFocus.current) bar.current?.focus({ preventScroll: true })
  }, [shown])

  const applies = [...new Set(changed.flatMap(({ applies: when }) => when ?? []))]
  return (
    <div
      ref={bar}
      tabIndex={-1}
      data-save-bar={shown || undefined}
      onFocus={() => (hasFocus.current = true)}
      onBlur={() => (hasFocus.current = false)}
      className={classNames(
        'outline-none',
        shown
          ? 'sticky bottom-4 z-20 mt-auto flex animate-rise flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-raised py-2.5 pr-2.5 pl-4 shadow-float max-sm:bottom-2'
          : 'sr-only',
      )}
    >
      <p aria-live="polite" className="flex min-w-0 flex-wrap gap-x-2">
        {shown && (
          <span className="font-medium">
            {formatCount(countChanges(changed), 'unsaved change')}
            {changed.some(({ restored }) => restored) && ' restored'}
          </span>
        )}
        {shown && <span className="text-muted max-sm:sr-only">{applies.join(' ')}</span>}
      </p>
      {shown && (
        <form
          data-whole-page
          className="flex items-center gap-2 max-sm:[&>*]:h-10"
          onSubmit={(event) => {
            event.preventDefault()
            void saveAll?.()
          }}
        >
          {!pending && (
            <Button onClick={() => changed.forEach(({ element }) => element.current?.reset())}>
              Discard
            </Button>
          )}
          <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
            Save
          </Button>
        </form>
      )}
    </div>
  )
}
