// Filters the API reference and opens the endpoint that the URL names. The page works without it.
;(() => {
  const search = document.querySelector('input')
  const endpoints = [...document.querySelectorAll('details')]
  const sections = [...document.querySelectorAll('main > section')]
  const texts = new Map(
    endpoints.map((endpoint) => [endpoint, endpoint.querySelector('summary').textContent.toLowerCase()]),
  )

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const endpoint of endpoints) {
      endpoint.hidden = !words.every((word) => texts.get(endpoint).includes(word))
    }
    for (const section of sections) {
      const shown = section.querySelector('details:not([hidden])') !== null
      section.hidden = words.length > 0 && !shown
    }
    document.getElementById('none').hidden = sections.some((section) => !section.hidden)
    markSection()
  }

  function openLinked() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target instanceof HTMLDetailsElement) target.open = true
    // Results of a search must not hide what a link leads to.
    if (target && target.offsetParent === null) {
      search.value = ''
      filter()
      target.scrollIntoView()
    }
  }

  const nav = document.querySelector('nav')

  /** Marks the section that is being read, and keeps its link in view. */
  function markSection() {
    const read = sections.findLast((section) => !section.hidden && section.getBoundingClientRect().top < 140)
    const link = nav.querySelector(`a[href="#${(read ?? sections[0]).id}"]`)
    const before = nav.querySelector('[aria-current]')
    if (link === before) return
    before?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    const [box, area] = [link.getBoundingClientRect(), nav.getBoundingClientRect()]
    if (box.left < area.left || box.right > area.right) nav.scrollBy(box.left - area.left - 40, 0)
    if (box.top < area.top || box.bottom > area.bottom) nav.scrollBy(0, box.top - area.top - area.height / 2)
  }

  search.hidden = false
  addEventListener('scroll', markSection, { passive: true })
  search.addEventListener('input', filter)
  addEventListener('hashchange', openLinked)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return
    event.preventDefault()
    search.focus()
  })
  // Opening an endpoint changes the URL, so that a link to the endpoint can be copied.
  for (const endpoint of endpoints) {
    endpoint.addEventListener('toggle', () => {
      if (endpoint.open) history.replaceState(null, '', `#${endpoint.id}`)
    })
  }
  openLinked()
  markSection()
})()
