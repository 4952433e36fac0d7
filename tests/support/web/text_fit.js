/** What is wrong with the text of a page: a function that text_fit.py runs there.
    Names of players are as long as players like them, and a preview of their talk ends where its line ends: both may be cut. */
(names, letters) => {
  const UNTRANSLATED = new RegExp(`[${letters}]`);
  const NO_WORDS = /https?:\/\/\S+|\d+\.\d+\.\d+\.\d+\S*|\b[0-9a-f]{32,}\b/g;
  const ASIDE = 'code, [lang]:not(html), script, style';
  const PREVIEW = '.bubble, .rest li:not(.calm)';
  const CONTROLS = 'a[href], button, input, select, textarea, summary';
  const FRAMES = 'button, .button, .card, dialog';

  const memo = new Map();
  const style = one => memo.get(one) ?? memo.set(one, getComputedStyle(one)).get(one);
  const box = one => one.getBoundingClientRect();
  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const lineage = one => (one && one !== root.parentElement ? [one, ...lineage(one.parentElement)] : []);
  const isForEyes = one =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !lineage(one).some(above => style(above).clipPath === 'inset(50%)');

  /** The element and those around it that can clip it; a positioned element is clipped by positioned ones alone. */
  function clippers(one) {
    const found = [one];
    let place = style(one).position;
    for (const above of lineage(one).slice(1)) {
      if (place === 'fixed') break;
      if (place === 'absolute' && style(above).position === 'static') continue;
      place = style(above).position;
      found.push(above);
    }
    return found;
  }
  const flow = (one, axis) => style(one)[`overflow${axis}`];
  const isScrolled = (one, axis) => clippers(one).some(above => /auto|scroll/.test(flow(above, axis)));
  /** Those that clip it and cannot be scrolled, up to the first that can. */
  function walls(one, axis) {
    const found = clippers(one).filter(above => flow(above, axis) !== 'visible');
    const scrolled = found.findIndex(above => /auto|scroll/.test(flow(above, axis)));
    return scrolled < 0 ? found : found.slice(0, scrolled);
  }
  function shownPart(rect, one) {
    let { left, top, right, bottom } = rect;
    for (const above of clippers(one)) {
      const around = box(above);
      if (flow(above, 'X') !== 'visible') [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
      if (flow(above, 'Y') !== 'visible') [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
    }
    return { left, top, right, bottom };
  }
  const sticksOut = (rect, around, height) => ({
    X: rect.left < around.left - 2 || rect.right > around.right + 2,
    Y: rect.top < around.top - 0.35 * height || rect.bottom > around.bottom + 0.35 * height,
  });

  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.push(walker.currentNode);
  const texts = nodes
    .filter(node => !node.parentElement.closest('option') && isForEyes(node.parentElement))
    .map(node => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
      return { one: node.parentElement, text: node.data.trim(), rects };
    });
  const controls = [...root.querySelectorAll(CONTROLS)].filter(one => isForEyes(one) && box(one).width > 1);
  const isTheirs = ({ one, text }) => names.includes(text) || one.closest(PREVIEW);

  const isCut = ({ one, rects }) =>
    (walls(one, 'X')[0] === one && one.scrollWidth > one.clientWidth + 1) ||
    ['X', 'Y'].some(axis =>
      walls(one, axis).some(wall => rects.some(rect => sticksOut(rect, box(wall), rect.height)[axis])),
    );

  const pen = document.createElement('canvas').getContext('2d');
  function isFieldCut(one) {
    const text = one.matches('select') ? one.selectedOptions[0]?.label : one.value || one.placeholder;
    if (!text || one.matches('[readonly], [type=checkbox], [type=radio], [type=range]')) return false;
    const { font, paddingLeft, paddingRight } = style(one);
    pen.font = font;
    const arrow = one.matches('select') ? 16 : 0;
    return (
      pen.measureText(text).width > one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow + 1
    );
  }

  const isOutside = (rect, one) =>
    (!isScrolled(one, 'X') && (rect.left < -1 || rect.right > innerWidth + 1)) ||
    (clippers(one).some(above => style(above).position === 'fixed') &&
      !isScrolled(one, 'Y') &&
      (rect.top < -1 || rect.bottom > innerHeight + 1));

  const isClear = colour => /, 0\)$/.test(colour);
  const isDrawn = one =>
    !isClear(style(one).backgroundColor) ||
    (parseFloat(style(one).borderLeftWidth) > 0 && !isClear(style(one).borderLeftColor));

  /** A text that leaves its button or card, unless it is placed there as a bubble is. */
  function isOverTheEdge({ one, rects }) {
    const around = one.closest(FRAMES);
    if (!around || !isDrawn(around)) return false;
    const between = lineage(one).slice(0, lineage(one).indexOf(around));
    if (between.some(above => style(above).position === 'absolute' || /auto|scroll/.test(flow(above, 'X'))))
      return false;
    const scrolls = ['X', 'Y'].filter(axis => /auto|scroll/.test(flow(around, axis)));
    const { left, top, right, bottom } = box(around);
    const inside = { left: left + 4, top, right: right - 4, bottom }; // a letter does not touch the border
    return rects.some(rect =>
      ['X', 'Y'].some(axis => !scrolls.includes(axis) && sticksOut(rect, inside, rect.height)[axis]),
    );
  }

  /** A control that leaves what its card has room for. */
  function isBesideItsCard(one) {
    const card = one.closest('.card');
    if (
      !card ||
      card === one ||
      isScrolled(one, 'X') ||
      clippers(one).some(above => style(above).position === 'absolute')
    )
      return false;
    const [left, right] = [parseFloat(style(card).paddingLeft), parseFloat(style(card).paddingRight)];
    return box(one).left < box(card).left + left - 2 || box(one).right > box(card).right - right + 2;
  }

  /** What scrolls below a bar, or lies over the page, is in another layer. */
  const layer = one =>
    lineage(one).find(above => {
      const { position, zIndex } = style(above);
      return position === 'fixed' || position === 'sticky' || (position !== 'static' && zIndex !== 'auto');
    }) ?? root;
  /** Of a seat the disc is drawn, without the corners of the square around it. */
  function drawn(one) {
    const disc = one.matches('[data-seat]') && one.querySelector('.medallion, .face');
    if (!disc) return box(one);
    const { left, top, right, bottom, width } = box(disc);
    const corner = 0.15 * width;
    return { left: left + corner, top: top + corner, right: right - corner, bottom: bottom - corner };
  }
  const things = [
    ...texts.flatMap(({ one, text, rects }) =>
      rects.map(rect => {
        const slack = 0.22 * rect.height; // lines are closer than letters are high
        const { left, top, right, bottom } = rect;
        return {
          one,
          text,
          isText: true,
          ...shownPart({ left, right, top: top + slack, bottom: bottom - slack }, one),
        };
      }),
    ),
    ...controls.map(one => ({
      one,
      text: one.innerText?.trim() || one.getAttribute('aria-label'),
      ...shownPart(drawn(one), one),
    })),
  ]
    .filter(({ left, top, right, bottom }) => right - left > 2 && bottom - top > 2)
    .map(thing => ({ ...thing, layer: layer(thing.one) }))
    .sort((one, other) => one.top - other.top);
  const areRelated = (one, other) =>
    one.contains(other) || other.contains(one) || (one.closest('label') ?? one) === (other.closest('label') ?? other);
  const pairs = [];
  things.forEach((thing, place) => {
    for (let next = place + 1; next < things.length && things[next].top < thing.bottom - 2; next += 1) {
      const other = things[next];
      if (thing.layer !== other.layer || areRelated(thing.one, other.one)) continue;
      if (Math.min(thing.right, other.right) - Math.max(thing.left, other.left) > 2) pairs.push([thing, other]);
    }
  });

  const isInitial = text => text.length === 1 && names.some(name => name.startsWith(text));
  const isEnglish = text =>
    !isInitial(text.trim()) &&
    UNTRANSLATED.test(names.reduce((left, name) => left.replaceAll(name, ''), text).replace(NO_WORDS, ''));
  const words = [
    ...nodes.filter(node => !node.parentElement.closest(ASIDE)).map(node => node.data),
    ...[...root.querySelectorAll('[aria-label], [title], [placeholder], [alt]')]
      .filter(one => !one.closest(ASIDE))
      .flatMap(one => ['aria-label', 'title', 'placeholder', 'alt'].map(name => one.getAttribute(name) ?? '')),
    document.title,
  ];

  const brief = text => (text ?? '').replace(/\s+/g, ' ').slice(0, 60);
  const told = (what, found) => found.map(({ one, text }) => `${what}: ${one.tagName}.${one.className} ${brief(text)}`);
  return [
    ...new Set([
      ...told(
        'cut',
        texts.filter(piece => isCut(piece) && !isTheirs(piece)),
      ),
      ...told(
        'cut',
        controls.filter(isFieldCut).map(one => ({ one, text: one.value || one.placeholder })),
      ),
      ...told(
        'outside the page',
        texts.filter(({ one, rects }) => rects.some(rect => isOutside(rect, one))),
      ),
      ...told(
        'outside the page',
        controls.filter(one => isOutside(box(one), one)).map(one => ({ one, text: one.innerText })),
      ),
      ...told(
        'over the edge',
        texts.filter(piece => isOverTheEdge(piece) && !isTheirs(piece)),
      ),
      ...told(
        'over the edge',
        controls.filter(isBesideItsCard).map(one => ({ one, text: one.innerText })),
      ),
      ...pairs.map(([one, other]) => `overlap: ${brief(one.text)} | ${brief(other.text)}`),
      ...(document.scrollingElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
      ...words.filter(isEnglish).map(text => `not translated: ${brief(text.trim())}`),
    ]),
  ];
};
