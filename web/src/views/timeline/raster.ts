// Shelves as rows of pixels. A shelf is as high as it likes but looks the same all the way down, so
// its pixels are set once, in one row of a hidden picture, and stretched: a frame costs as many
// pictures as there are shelves, not as many rectangles as there are bars.

// How full a pixel is, in steps; the last one is for what a search dims.
const LEVELS = [0.55, 0.7, 0.85, 1, 0.25];
export const FULL = 3, DIM = 4;

export type Ink = Uint32Array; // a colour over the background, by level

export function levelOf(share: number): number {
  return Math.max(0, Math.ceil(Math.min(1, share) * 4) - 1);
}

function rgb(colour: string): number[] {
  const hex = colour.replace('#', ''), full = hex.length === 3 ? [...hex].map(c => c + c).join('') : hex;
  return [0, 2, 4].map(i => parseInt(full.slice(i, i + 2), 16) || 0);
}

export function inkOf(colour: string, background: string): Ink {
  const over = rgb(colour), under = rgb(background), bytes = new Uint8Array(LEVELS.length * 4);
  LEVELS.forEach((a, k) => bytes.set([0, 1, 2].map(i => Math.round(a * over[i]! + (1 - a) * under[i]!)).concat(255), 4 * k));
  return new Uint32Array(bytes.buffer);
}

export class Raster {
  private readonly canvas = document.createElement('canvas');
  private readonly c = this.canvas.getContext('2d', { willReadFrequently: true })!;
  private image: ImageData | null = null;
  private pixels = new Uint32Array(0);
  width = 0;

  begin(width: number, rows: number): void {
    if (!this.image || this.width !== width || this.image.height !== rows) {
      this.canvas.width = this.width = width;
      this.canvas.height = rows;
      this.image = this.c.createImageData(width, rows);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(0);
  }
  put(row: number, x0: number, x1: number, colour: number): void {
    const from = Math.max(0, Math.round(x0)), past = Math.min(this.width, Math.max(Math.round(x1), from + 1));
    if (from < past) this.pixels.fill(colour, row * this.width + from, row * this.width + past);
  }
  end(): void {
    this.c.putImageData(this.image!, 0, 0);
  }
  draw(to: CanvasRenderingContext2D, row: number, x: number, y: number, width: number, height: number): void {
    to.drawImage(this.canvas, 0, row, this.width, 1, x, y, width, height);
  }
}
