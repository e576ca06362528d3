// Films the canvas and saves the film as a file.

import { download } from "./dom";

const FRAMES_PER_SECOND = 30;
const BITS_PER_SECOND = 6e6;

export class Recorder {
  private recorder: MediaRecorder | null = null;

  /** `changed` hears whether a film is being made; `say` tells the user. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly changed: (recording: boolean) => void,
    private readonly say: (text: string) => void,
  ) {}

  /** Begins a film, or ends and saves it. */
  toggle(): void {
    if (this.recorder) return this.recorder.stop();
    const parts: Blob[] = [];
    try {
      this.recorder = new MediaRecorder(this.canvas.captureStream(FRAMES_PER_SECOND), {
        mimeType: "video/webm",
        videoBitsPerSecond: BITS_PER_SECOND,
      });
    } catch {
      return this.say("This browser cannot record; use rhumb play --video.");
    }
    this.recorder.ondataavailable = (event) => parts.push(event.data);
    this.recorder.onstop = () => {
      this.recorder = null;
      this.changed(false);
      download(new Blob(parts, { type: "video/webm" }), "rhumb.webm");
      this.say("The film is saved: rhumb.webm.");
    };
    this.recorder.start();
    this.changed(true);
    this.say("Filming; press again to save.");
  }
}
