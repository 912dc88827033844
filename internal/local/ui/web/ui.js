// The pages are there without this script: it keeps them up to date.
'use strict';
(() => {
  const body = document.body
  const lost = on => { document.getElementById('lost').hidden = !on }

  // Keyboard focus and what was scrolled survive that a part is put in place anew.
  const name = e => e && e.closest ? e.getAttribute('href') || e.getAttribute('aria-label') || e.id : null
  function replace(at, html) {
    const active = at.contains(document.activeElement) ? name(document.activeElement) : null
    const scrolled = [...at.querySelectorAll('.scroll, .log')].map(e => [e.scrollLeft, e.scrollTop])
    const chosen = new Set([...at.querySelectorAll('input:checked')].map(e => e.value))
    at.innerHTML = html
    at.querySelectorAll('.scroll, .log').forEach((e, i) => { if (scrolled[i]) [e.scrollLeft, e.scrollTop] = scrolled[i] })
    at.querySelectorAll('input[type=checkbox]').forEach(e => { e.checked = chosen.has(e.value) })
    if (active) [...at.querySelectorAll('a, [tabindex], input')].find(e => name(e) === active)?.focus({ preventScroll: true })
    at.querySelectorAll('[data-log]').forEach(follow)
  }

  // A stream is closed while nobody looks: a browser has few connections to a server.
  function stream(address, on) {
    let source
    let over = false
    const open = () => {
      source = new EventSource(typeof address === 'function' ? address() : address)
      for (const [event, f] of Object.entries(on)) source.addEventListener(event, e => { lost(false); f(JSON.parse(e.data)) })
      source.addEventListener('end', () => { over = true; source.close() })
      source.addEventListener('error', () => { if (!over) lost(true) })
      source.addEventListener('open', () => lost(false))
    }
    document.addEventListener('visibilitychange', () => {
      if (over) return
      if (document.hidden) source?.close()
      else open()
    })
    if (!document.hidden) open()
  }

  let spoken = ''
  function page(address) {
    stream(address, {
      part: ({ id, html }) => {
        const at = document.getElementById('part-' + id)
        if (!at) return
        replace(at, html)
        if (id === 'facts' || id === 'taskhead') {
          const state = [...at.querySelector('.pill').classList].find(c => c.startsWith('s-'))
          document.getElementById('top').className = 'top ' + state
        }
      },
      status: ({ text, title }) => {
        document.title = title + ' · kfpgo'
        if (text !== spoken) document.getElementById('status').textContent = spoken = text
      },
    })
  }

  const most = 1 << 20 // characters of a log that a page keeps
  function follow(at) {
    const code = at.querySelector('code')
    let to = null
    stream(() => {
      const u = new URL(at.dataset.log, location.href)
      if (to !== null) u.searchParams.set('from', to)
      return u.href
    }, {
      text: data => {
        to = data.to
        code.append(data.text)
        while (code.textContent.length > most && code.childNodes.length > 1) code.firstChild.remove()
      },
    })
  }

  async function again(every, f) {
    for (;;) {
      await new Promise(done => setTimeout(done, every))
      if (document.hidden) continue
      try {
        const answer = await fetch(location.href)
        lost(false)
        if (!await f(answer)) return
      } catch { lost(true) }
    }
  }

  const live = body.dataset.live
  if (live === 'reload') {
    again(2000, async answer => {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const at = document.getElementById('part-list')
      const now = fresh.getElementById('part-list')
      if (at && now && at.innerHTML !== now.innerHTML) replace(at, now.innerHTML)
      return fresh.body.dataset.live === 'reload'
    })
  } else if (live === 'wait') {
    again(700, async answer => {
      if (answer.redirected) { location.replace(answer.url); return false }
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
      document.getElementById('main').replaceWith(fresh.getElementById('main'))
      return fresh.body.dataset.live === 'wait'
    })
  } else if (live) {
    page(live)
  }
  document.querySelectorAll('[data-log]').forEach(follow)

  document.querySelectorAll('form.filters select').forEach(e => {
    if (e.form.getAttribute('role') === 'search') e.addEventListener('change', () => e.form.requestSubmit())
  })
})()
