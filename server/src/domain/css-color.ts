/** The colours that CSS has names for, each with its value. */
const LISTED =
  'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ' +
  'ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood ' +
  'deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed ' +
  'cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b ' +
  'darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen ' +
  '556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f ' +
  'darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet ' +
  '9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick ' +
  'b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ' +
  'ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 ' +
  'hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
  'lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 ' +
  'lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 ' +
  'lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 ' +
  'lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen ' +
  'faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 ' +
  'mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a ' +
  'mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 ' +
  'moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ' +
  'ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee ' +
  'palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd ' +
  'powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
  'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d ' +
  'silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa ' +
  'springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise ' +
  '40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32'

const NAMES: ReadonlyMap<string, string> = new Map(
  LISTED.match(/\S+ \S+/g)?.map((pair) => pair.split(' ') as [string, string]),
)

/**
 * A colour as CSS writes it (a name, hexadecimal digits, `rgb()` or `hsl()`), in the form `#rrggbb`. Undefined if it is
 * none, or if one could see through it: text on it could be unreadable.
 */
export function opaqueColor(text: string): string | undefined {
  const color = text.trim().toLowerCase()
  const named = NAMES.get(color)
  if (named) return `#${named}`
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])f?$/.exec(color)
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`
  const long = /^#([0-9a-f]{6})(?:ff)?$/.exec(color)
  if (long) return `#${long[1]}`
  return fromFunction(color)
}

const NUMBER = '([0-9]{1,3}(?:[.][0-9]{1,6})?)'
const OPAQUE = '(?:[ ]*[,/][ ]*(?:1(?:[.]0*)?|100%))?'
const RGB = new RegExp(`^rgba?[(] *${NUMBER}(%?)[ ,]+${NUMBER}(%?)[ ,]+${NUMBER}(%?)${OPAQUE} *[)]$`)
const HSL = new RegExp(`^hsla?[(] *${NUMBER}(?:deg)?[ ,]+${NUMBER}%[ ,]+${NUMBER}%${OPAQUE} *[)]$`)

function fromFunction(color: string): string | undefined {
  const rgb = RGB.exec(color)
  if (rgb) {
    const parts = [1, 3, 5].map((at) =>
      rgb[at + 1] === '%' ? (Number(rgb[at]) * 255) / 100 : Number(rgb[at]),
    )
    return toHex(parts)
  }
  const hsl = HSL.exec(color)
  if (!hsl) return undefined
  const [hue = 0, saturation = 0, lightness = 0] = hsl.slice(1, 4).map(Number)
  return saturation <= 100 && lightness <= 100 ? fromHsl(hue, saturation / 100, lightness / 100) : undefined
}

function fromHsl(hue: number, saturation: number, lightness: number): string | undefined {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (from: number) => {
    const turn = (from + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return toHex([part(0), part(8), part(4)])
}

function toHex(parts: readonly number[]): string | undefined {
  const whole = parts.map((part) => Math.round(part))
  if (whole.some((part) => part > 255)) return undefined
  return `#${whole.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
